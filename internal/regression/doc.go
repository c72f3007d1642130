// Package regression tests one tool on many instances whose values are known, and says
// what is worse than before. What was right before is kept in a file, the baseline.
package regression
