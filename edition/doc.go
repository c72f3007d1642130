// Package edition reads editions: the rules of one year of a contest, written as
// data.
//
// An edition is a strict YAML file. It lists the examinations with their points,
// the limits of a run, and names the functions that make confidences, references,
// flags, points and rankings, each with its parameters. The functions are
// those of packages confidence and scoring, with the names and parameters that the
// tables of references.go and points.go give them. A later contest is another file and perhaps one
// more function; nothing anywhere asks for the name of an edition.
//
// Unknown keys, unknown functions and parameters, and points that do not divide
// among the values of an examination are errors with file:line:col. The editions
// under editions/ are part of the program ([Named], [Names]); a person's own is
// read by [Load].
package edition
