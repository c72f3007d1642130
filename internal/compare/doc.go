// Package compare says what changed between two sides: two campaigns, two files of
// results, or two versions of a tool. It is pure: judged results go in, a [Report]
// comes out, which is written as text, as findings or as a page.
//
// Values are facts: each that was gained, lost or changed is listed. Times and
// memory are noisy: of them a change is claimed only where it is significant.
//
// The statistics are those of pairs. For each run that both sides have, the
// logarithm of after/before is taken; the median over the runs of one model is one
// observation, because the runs of a model are done one after the other on one
// computer (E-5.1) and share its noise. The ratio is the Hodges-Lehmann estimate of
// the observations, and its interval that of Wilcoxon's signed-rank test. If both
// sides are the same, an observation is as likely positive as negative of the same
// size, and nothing more is assumed.
//
// Note: a bootstrap needs no symmetry, but its intervals are too narrow for few
// models: 20 models are few for it, and campaigns of them are common.
//
// A report has many rows, so each has only a share of the error: on equal sides, the
// whole report makes a claim with a probability of at most [FamilyError].
package compare
