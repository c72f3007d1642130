package publish

import (
	"slices"

	"podium/internal/witness"
	"podium/scoring"
	"podium/vm"
)

// maxJury bounds the rows of a list on the page for the jury; csv/ has them all.
const maxJury = 200

// juryList is something that the jury may want to look at before it approves the results.
type juryList struct {
	Anchor, Title, About string
	Where                link // has all of them
	Rows                 []juryRow
	All                  int // rows, also those that are not shown
}

// More is how many rows are not shown.
func (l *juryList) More() int { return l.All - len(l.Rows) }

// juryRow is a run or a value, its examination, the tool that it is about, and what is to be seen.
type juryRow struct {
	What link
	Exam link
	Tool string
	Said string
	Note string
}

func (l *juryList) add(what, exam link, tool, said, note string) {
	if l.All++; l.All <= maxJury {
		l.Rows = append(l.Rows, juryRow{what, exam, tool, said, clean(note)})
	}
}

// juryBody is the page for the jury.
type juryBody struct {
	Close    []juryMargin
	Lists    []*juryList
	Doubtful int // reference values
}

// juryMargin is a place on a podium that disputed values could give to another tool.
type juryMargin struct {
	Category link
	marginView
}

// writeJury writes the page that a jury reads before it approves: what is disputed, wrong,
// refuted, strange or decided, each with the way to the run.
func (s *site) writeJury() error {
	if s.c.team != nil {
		return nil
	}
	return s.render("jury", "jury.html", page{Here: "data", Title: "For the jury", Body: s.jury(), Trail: []link{{"data.html", "Data"}},
		About: "What a jury looks at before it approves the results."})
}

func (s *site) jury() *juryBody {
	wrong := &juryList{"wrong", "Wrong answers", "Each differs from the reference value.", link{runsPath("wrong", ">0"), "the table of runs"}, nil, 0}
	refuted := &juryList{"refuted", "Witnesses that are refuted or malformed", "A refuted witness shows another value than its answer. The form of a malformed one is wrong.", link{"csv/witnesses.csv", "witnesses.csv"}, nil, 0}
	aside := &juryList{"unscored", "Runs without a score, set aside or void", "A void run failed for a reason of the computer and counts for nobody.", link{"csv/runs.csv", "runs.csv"}, nil, 0}
	strange := &juryList{"strange", "Runs that ended strangely", "Signals, limits of output and disk space, panics of a machine, and computers that were slower or faster than usual.", link{"csv/runs.csv", "runs.csv"}, nil, 0}
	for i := range s.cells {
		c := &s.cells[i]
		for _, r := range c.runs {
			if r == nil {
				continue
			}
			here, exam := link{s.runPath(r), r.instance().String()}, s.examLink(c.exam)
			switch {
			case r.Void != "":
				aside.add(here, exam, r.toolName(), "void", r.Void)
			case r.noScore != "":
				aside.add(here, exam, r.toolName(), "no score", r.noScore)
			case r.setAside:
				aside.add(here, exam, r.toolName(), "set aside", "by a flag of the edition")
			}
			if slices.Contains([]vm.Termination{vm.Signalled, vm.TooMuchOut, vm.DiskFull, vm.Panicked}, r.Termination) {
				strange.add(here, exam, r.toolName(), terminationShort(r), "")
			} else if len(r.Drift) > 0 {
				strange.add(here, exam, r.toolName(), "drift", "the computer was not as fast as usual around it")
			}
			if s.witnessed || slices.Contains(c.mask(r), scoring.Wrong) { // answers are read again
				s.juryAnswers(c, r, wrong, refuted)
			}
		}
	}
	body := &juryBody{Doubtful: s.doubtfulValues(), Lists: []*juryList{wrong, refuted, aside, strange}}
	for _, cat := range s.c.Categories {
		for _, m := range s.marginViews(cat.Name) {
			if m.Needed > 0 {
				body.Close = append(body.Close, juryMargin{s.categoryLink(cat.Name), m})
			}
		}
	}
	return body
}

// juryAnswers adds the answers of a run that are wrong, or whose witnesses do not stand.
func (s *site) juryAnswers(c *cell, r *run, wrong, refuted *juryList) {
	for _, a := range r.sortedAnswers(nil) {
		w := s.wrongAnswer(c, r, a)
		if a.Mark == scoring.Wrong {
			wrong.add(w.Run, w.Exam, r.toolName(), w.Given, "not "+w.Elected)
		}
		switch {
		case a.Witness.State == witness.Refuted:
			refuted.add(w.Run, w.Exam, r.toolName(), w.Given, a.Witness.Detail)
		case a.Witness.Malformed:
			refuted.add(w.Run, w.Exam, r.toolName(), w.Given, "malformed: "+a.Witness.Detail)
		}
	}
}
