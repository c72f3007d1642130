package explorer

// Witness is a run that proves an answer: transitions from the initial marking,
// then some that may be repeated for ever. Package internal/witness writes such
// runs down, and replays them with code of its own.
//
//	EF true, AG false         the stem ends in a marking with (without) the formula
//	deadlock, not live        the stem ends in a dead marking
//	not one-safe              the stem ends in a marking with two tokens in a place
//	bound n                   the stem ends in a marking with n tokens: no less, not no more
//	unbounded, bound +inf     the cycle adds tokens, and takes none away in sum
//	LTL: E true, A false      stem and cycle are a run with (without) the path;
//	                          with an empty cycle the marking is dead and stutters
//	quasi-live                on the stem, or on one of the further runs, every transition fires
//	not stable                on the stem, or on one of the further runs, every place changes
type Witness struct {
	Stem, Cycle []uint32
	Further     [][]uint32
}
