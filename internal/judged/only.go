package judged

import (
	"podium/internal/selection"
	"podium/scoring"
)

// Only returns the results of the runs that a selection chooses, as all runs made them.
// A selection that cannot be read, or that names what the campaign does not have, is a
// *NameError.
func (j *Campaign) Only(text string) (*scoring.Result, error) {
	chosen, err := selection.Choose(j.Campaign, j.Log, text)
	if err != nil {
		return nil, &NameError{Err: err}
	}
	return j.Result.Only(func(sheet, tool int) bool { return chosen(j.run(sheet, tool)) }), nil
}
