// Package whatif asks what the result of a contest would be under other conditions.
//
// Functions such as [Without], [Within] and [WithExaminations] make another contest out of one,
// to be scored by a scheme. [Compare] says what differs between two results, and
// [SensitivityOf] which single decisions would change the podium.
package whatif
