package publish

import (
	"fmt"
	"strings"
)

// neighbour is the same examination of an instance whose parameter is next to the one of
// a disagreement: what tools say there is a hint which camp is right.
type neighbour struct {
	Instance link
	Text     string
}

// neighbours are the examinations before and after a cell in the ladder of its model.
func (s *site) neighbours(c *cell) (list []neighbour) {
	for _, step := range s.steps(c.inst) {
		i := step.inst
		other := &s.cells[i*len(s.c.Examinations)+c.exam]
		if len(other.runs) == 0 {
			continue
		}
		at := s.ladderCell(other)
		splits := 0
		for n := other.splits; n < len(s.splits) && s.splits[n].cell == other; n++ {
			splits++
		}
		text := fmt.Sprintf("%d of %s answered all values right", at.Tools, things(at.Runs, "tool"))
		switch splits {
		case 0:
			text += ", and nobody disagrees"
		case 1:
			text += ", and there is one disagreement"
		default:
			text += fmt.Sprintf(", and there are %d disagreements", splits)
		}
		list = append(list, neighbour{link{at.Path, s.insts[i].ID.String()}, text})
	}
	return list
}

// commands repeat what a page shows of a value.
func (s *site) commands(r *ref) []string {
	words := func(words ...string) string {
		for i := range words {
			words[i] = shellWord(words[i])
		}
		return strings.Join(words, " ")
	}
	inst, exam := r.key().Instance.String(), string(r.key().Exam)
	if s.c.FromFiles {
		return []string{"podium explain value --edition " + shellWord(s.c.Edition.ID) + " FILE " + words(inst, exam, r.item())}
	}
	return []string{"podium explain value DIR " + words(inst, exam, r.item()),
		"podium run DIR --again --only " + shellWord("instance="+inst+" examination="+exam)}
}

// shellWord quotes a word of a command for a shell where it needs to be.
func shellWord(word string) string {
	word = clean(word)
	plain := word != ""
	for i := range len(word) {
		c := word[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.,:/+=@", c) >= 0) {
			plain = false
		}
	}
	if plain && word[0] != '-' {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
