// Package contest judges a contest and shows it: it stands between the journal and
// published files of results on the one side, and the command line and the pages on
// the other.
//
// Answers come from the journal of a campaign ([FromJournal]) or from files of
// results ([FromResults]). [Judge] reads a campaign, its edition and its certificate,
// elects the reference values and scores the runs; a [Judged] contest holds all of it,
// and [Judged.View] is the form that package publish writes.
//
// Nothing here prints, parses flags or asks for the time: remarks for the person are
// given to a function, and the moment that decides an embargo is a parameter.
package contest
