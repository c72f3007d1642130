// Package contest judges a contest. It stands between the sources of answers
// (the journal of a campaign, published files of results) and what shows the
// contest (the command line, the pages).
//
// Answers come from the journal of a campaign ([FromJournal]) or from files of
// results ([FromResults]). [Judge] reads a campaign, its edition and its
// certificate, elects the reference values and scores the runs. The [Judged]
// contest holds all of it, and [Judged.View] gives the form that package
// publish writes. [OfFiles] and [Files.View] do the same for files of results;
// both kinds are a [Scored] contest.
//
// Nothing here prints, parses flags or reads the clock: remarks for the user
// are passed to a function, and the moment that decides an embargo is a
// parameter.
package contest
