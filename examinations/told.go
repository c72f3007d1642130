package examinations

import (
	"cmp"

	"podium/models"
)

// stated says what follows from properties of forms, and from the marker of an infinite state space:
// for a net that has a token, and a transition that can fire.
var stated = []struct {
	property string
	value    models.Truth
	exam     ID
	item     string // "" for the only one
	answer   Value
}{
	{"SAFE", models.True, OneSafe, "", True}, {"SAFE", models.False, OneSafe, "", False},
	{"SAFE", models.True, StateSpace, "MAX_TOKEN_IN_PLACE", Value{Kind: Nat, Text: "1"}},
	{"DEADLOCK", models.True, ReachabilityDeadlock, "", True}, {"DEADLOCK", models.False, ReachabilityDeadlock, "", False},
	{"DEADLOCK", models.True, GlobalProperties, "", True}, {"DEADLOCK", models.False, GlobalProperties, "", False},
	{"DEADLOCK", models.True, Liveness, "", False},
	{"LIVE", models.True, Liveness, "", True}, {"LIVE", models.False, Liveness, "", False},
	{"LIVE", models.True, QuasiLiveness, "", True}, {"LIVE", models.True, ReachabilityDeadlock, "", False},
	{"DEAD_TRANSITIONS", models.True, QuasiLiveness, "", False}, {"DEAD_TRANSITIONS", models.False, QuasiLiveness, "", True},
	{"DEAD_TRANSITIONS", models.True, Liveness, "", False},
	{"DEAD_PLACES", models.True, StableMarking, "", True},
	{"REVERSIBLE", models.True, ReachabilityDeadlock, "", False},
	{models.UnfiniteFile, models.True, StateSpace, "STATES", Infinite}, {models.UnfiniteFile, models.True, StateSpace, "TRANSITIONS", Infinite},
	{models.UnfiniteFile, models.True, StateSpace, "MAX_TOKEN_IN_PLACE", Infinite}, {models.UnfiniteFile, models.True, StateSpace, "MAX_TOKEN_PER_MARKING", Infinite},
	{models.UnfiniteFile, models.True, OneSafe, "", False},
}

// Told returns the values that statements give away, by examination and item. Where two
// statements differ, the first counts.
func Told(list []models.Statement) map[ID]map[string]string {
	var told map[ID]map[string]string
	for _, said := range list {
		for _, s := range stated {
			if s.property != said.Property || s.value != said.Value {
				continue
			}
			item := cmp.Or(s.item, string(s.exam))
			if told == nil {
				told = map[ID]map[string]string{}
			}
			if told[s.exam] == nil {
				told[s.exam] = map[string]string{}
			}
			if told[s.exam][item] == "" {
				told[s.exam][item] = s.answer.Text
			}
		}
	}
	return told
}
