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

// KnownValue is a value that is known, and what is to be said behind it ([oracle.Known.Alone]).
type KnownValue struct {
	examinations.Value
	alone string
}

// Of returns the known values of an examination of an instance, by item.
func (k Known) Of(instance string, exam examinations.ID, items []string) (map[string]KnownValue, error) {
	id, err := models.ParseID(instance)
	if err != nil {
		return nil, err
	}
	given, err := k.Oracle.Values(id, exam, items)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	alone, err := k.Oracle.Alone(id, exam, items)
	if err != nil {
		return nil, err
	}
	known := map[string]KnownValue{}
	for _, item := range items {
		key := examinations.Key{Instance: id, Exam: exam, Item: item}
		if v := k.Proved[key]; !v.IsZero() {
			known[item] = KnownValue{v, ""}
		} else if v := given[key]; !v.IsZero() {
			known[item] = KnownValue{v, alone[item]}
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
	Known  KnownValue // zero where nothing is
}

// Compare compares the answers of a run with known values, item by item.
func Compare(exam examinations.ID, items []string, answers iter.Seq[campaign.Answer], known map[string]KnownValue) []Compared {
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
func (c *Compared) Right() bool { return c.Given && c.Value == c.Known.Value }

// Wrong reports whether another value is known.
func (c *Compared) Wrong() bool { return oracle.Refuted(c.Value, c.Known.Value) > 0 }

// Verdict says what is known of the value, in a word or two.
func (c *Compared) Verdict() string {
	verdict := oracle.Verdict(c.Value, c.Known.Value)
	if c.Wrong() {
		verdict += c.Known.alone
	}
	return verdict
}

// Contradiction says what a wrong answer is, and what is known.
func (c *Compared) Contradiction(how string) string {
	return c.Item + " is " + diagnostic.ShortNumber(c.Answer.Text) + ", and " + diagnostic.ShortNumber(c.Known.Text) + " " + how + c.Known.alone
}
