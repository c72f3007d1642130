// Package scoring computes points, rankings and podiums from answers (E-4).
//
// A [Contest] holds the answers of all tools in columns: tools, instances and
// examinations have numbers. A [Sheet] is one examination of one instance, with
// the values asked for and a run of every tool. A [Builder] makes a contest
// from runs in any order.
//
// A [Scheme] is the way in which one edition scores: the functions of package
// confidence that decide references, checks of a tool against itself ([Flag]),
// and a list of small [Rule]s. A rule gets the [Peers], the runs of all tools
// on one sheet, because bonuses compare them. It adds [Item]s, each with the
// number of the rule of the contest, a reason and points. The points of a run
// are the sum of its items, so that every point has a reason.
//
// Package whatif below asks what another contest would have resulted in, package explain says
// in words where a result comes from.
//
// Points are whole numbers of a unit that the scheme states (hundredths of a
// point in 2019). Nothing here reads files or clocks, or uses floating point.
// [Scheme.Score] depends only on the contest, and not on the order in which
// runs were added. Where the rules of a year prefer the first row of a file,
// the data state that order (Tool.Order, Run.Order).
package scoring
