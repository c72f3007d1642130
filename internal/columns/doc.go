// Package columns writes a judged contest for programs that compute: tables in
// Parquet files, which R, Python, DuckDB and many others read as they are, or as
// lines of JSON. The columns are described in docs/columns.md; a test holds that page to the code.
//
// Figures are written as they were measured, in whole microseconds, bytes and
// microjoules. Points are whole numbers of a unit, which sum up exactly, and beside
// them the nearest binary fraction. The same contest gives the same bytes.
package columns
