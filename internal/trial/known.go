package trial

import (
	"errors"
	"io/fs"
	"iter"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Known are values that answers are compared with. What is proved counts before what an oracle says.
type Known struct {
	Oracle *oracle.Known // nil: none
	Proved map[examinations.Key]examinations.Value
}

// Of returns the known values of an examination of an instance, by item.
func (k Known) Of(instance string, exam examinations.ID, items []string) (map[string]examinations.Value, error) {
	id, err := models.ParseID(instance)
	if err != nil {
		return nil, err
	}
	given, err := k.Oracle.Values(id, exam, items)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	known := map[string]examinations.Value{}
	for _, item := range items {
		key := examinations.Key{Instance: id, Exam: exam, Item: item}
		for _, from := range []map[examinations.Key]examinations.Value{k.Proved, given} {
			if v := from[key]; !v.IsZero() && known[item].IsZero() {
				known[item] = v
			}
		}
	}
	return known, nil
}

// Compared is a value that was asked for, beside what is known of it.
type Compared struct {
	Item   string
	Given  bool            // the tool answered it
	Answer campaign.Answer // zero where it did not
	Value  examinations.Value
	Known  examinations.Value // zero where nothing is
}

// Compare compares the answers of a run with known values, item by item.
func Compare(exam examinations.ID, items []string, answers iter.Seq[campaign.Answer], known map[string]examinations.Value) []Compared {
	given := map[string]campaign.Answer{}
	for a := range answers {
		given[a.Item] = a
	}
	var list []Compared
	for _, item := range items {
		c := Compared{Item: item, Known: known[item]}
		if c.Answer, c.Given = given[item]; c.Given {
			c.Value = examinations.Value{Kind: exam.Kind(), Text: c.Answer.Text}
		}
		list = append(list, c)
	}
	return list
}

// Right and Wrong report what is known of an answer: neither where it is not given, or nothing is known.
func (c *Compared) Right() bool { return c.Given && c.Value == c.Known }

// Wrong reports whether another value is known.
func (c *Compared) Wrong() bool { return oracle.Refuted(c.Value, c.Known) > 0 }

// Contradiction says what a wrong answer is, and what is known.
func (c *Compared) Contradiction(how string) string {
	return c.Item + " is " + diagnostic.ShortNumber(c.Answer.Text) + ", and " + diagnostic.ShortNumber(c.Known.Text) + " " + how
}
