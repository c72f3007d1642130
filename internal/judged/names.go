package judged

import (
	"slices"

	"podium/examinations"
	"podium/internal/ask"
	"podium/scoring"
)

// CheckTools returns a *NameError unless every name is that of a tool of the
// contest.
func CheckTools(c *scoring.Contest, names []string) error {
	return ask.Wanted("tool", names, ask.ToolNames(c))
}

// Sheet returns the number of the sheet of an examination of an instance, or a
// *NameError.
func Sheet(c *scoring.Contest, instance, exam string) (int, error) {
	if err := ask.Wanted("instance", []string{instance}, ask.InstanceNames(c)); err != nil {
		return 0, err
	}
	var exams []string
	for _, s := range c.Sheets {
		if c.Instances[s.Instance].Name == instance {
			exams = append(exams, string(c.Exams[s.Exam].ID))
		}
	}
	if err := ask.Wanted("examination of "+instance+" called", []string{exam}, slices.Values(exams)); err != nil {
		return 0, err
	}
	return c.SheetOf(instance, examinations.ID(exam)), nil
}
