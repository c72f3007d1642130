// Package scoring makes points, rankings and podiums out of answers (E-4).
//
// A [Contest] holds what all tools answered, in columns: tools, instances and
// examinations are numbered; a [Sheet] is one examination of one instance, with
// the values asked there and a run of every tool. A [Builder] makes a contest out
// of runs that come in any order.
//
// A [Scheme] is one edition's way to score: the functions of package confidence
// that make references, checks of a tool against itself ([Flag]), and a list of
// small [Rule]s. A rule sees the [Peers], which are the runs of all tools on one
// sheet, because bonuses compare them; it adds [Item]s, each with the number of
// the rule of the contest, a reason and points. The points of a run are the sum
// of its items and nothing else, so that every point is explained.
//
// Points are whole numbers of a unit that the scheme states (hundredths of a
// point in 2019). Nothing here reads files or clocks, or uses floating point.
// [Scheme.Score] depends only on the contest: same input, same result, and the
// order in which runs were added never matters. Where the rules of a year prefer
// the row that comes first in a file, the order is that of Tool.Order, which is
// data.
package scoring
