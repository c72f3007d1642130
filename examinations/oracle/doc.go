// Package oracle reads and writes values that do not come from the vote of a
// contest: agreed answers of earlier contests ([Read], [ReadCSV], Open) and
// values that the referee proved ([Certificate]).
//
// Oracle files know a formula by its rank among the sorted ids, see
// [examinations.Ranked].
package oracle
