// Package oracle reads and writes values that are known from elsewhere than the
// vote of a contest.
//
// [Read] and [ReadCSV] read agreed answers of earlier contests. There, and in
// published vectors, a formula is known by its rank among the sorted ids, see
// [examinations.Ranked]. A [Certificate] holds values that the referee proved.
package oracle
