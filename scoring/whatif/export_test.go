package whatif

// RankOf is for tests.
var RankOf = rankOf
