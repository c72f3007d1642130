// Package columns has tables, and the forms in which they are written: CSV for spreadsheets, Parquet
// for R, Python and DuckDB, lines of JSON, and LaTeX and Markdown for people, with rounded numbers. A [Table] has its columns once, each with its name, its type, what it
// means, and how its cell is found.
//
// In Parquet and JSON times are whole microseconds, energies whole microjoules, and points the nearest
// binary fraction; in CSV they are seconds, joules and exact ratios, and the names of columns say so. The
// same rows give the same bytes.
package columns
