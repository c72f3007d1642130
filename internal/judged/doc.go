// Package judged judges a contest and holds what came of it. A [Contest] is a scoring.Result
// with the edition that judged, the proofs of a referee, the decisions of the jury, and [Facts]:
// what else is known of the runs. Whatever shows a contest reads it by the numbers of sheets, tools
// and values: pages and tables, the command line, questions.
//
// There are two kinds. A [Campaign] is judged from its journal ([Judge]), and [Files] from files of
// results ([FromResults], [OfFiles]).
//
// Nothing here prints, parses flags or reads the clock: remarks for the user are passed to a
// function, and the moment that decides an embargo is a parameter.
package judged
