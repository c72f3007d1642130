package judged

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/verdict"
	"podium/internal/campaign"
	"podium/internal/witness"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Validation is what the validators of a competition on tasks have said so far.
type Validation struct {
	Campaign *campaign.Campaign
	Digest   string // of its journals
	Missing  int    // runs of validators that have no end

	log   *campaign.Log
	names map[validatedAnswer]string // of the instances
}

// validatedAnswer is an answer with its witness.
type validatedAnswer struct {
	run    campaign.Run
	digest string // of the witness
	item   string // of an answer on a net
}

// validationOf reads the validation of a competition, that by the edition where one is planned;
// nil where none was planned.
func validationOf(ctx context.Context, c *campaign.Campaign, ed *edition.Edition) (*Validation, error) {
	dir := filepath.Join(c.Dir, campaign.ValidationBy(ed.ID))
	if _, err := os.Stat(filepath.Join(dir, "campaign.json")); ed.ID == c.Plan.Edition || errors.Is(err, fs.ErrNotExist) {
		dir = filepath.Join(c.Dir, campaign.ValidationDir)
	}
	if _, err := os.Stat(filepath.Join(dir, "campaign.json")); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	of, err := campaign.Open(dir)
	if err != nil {
		return nil, err
	}
	v := &Validation{Campaign: of, names: map[validatedAnswer]string{}}
	if v.log, err = of.Read(ctx); err != nil {
		return nil, err
	}
	if v.Digest, err = v.log.Digest(); err != nil {
		return nil, err
	}
	v.Missing = of.Plan.Count() - len(v.log.Finished) - len(v.log.Void)
	for _, i := range of.Plan.Instances {
		w := i.Validates()
		if w == nil {
			return nil, diagnostic.List{{File: dir, Code: "campaign-validation", Message: "this campaign validates no witnesses", Hint: "plan it by `podium plan --validate " + c.Dir + "`"}}
		}
		v.names[validatedAnswer{campaign.Run{Tool: w.Tool, Instance: w.Instance, Exam: w.Exam}, w.Digest, w.Item}] = i.ID
	}
	return v, nil
}

// apply notes of each answer to a task what the validators say of its witness. An answer
// is asked for a witness where the edition asks for one, not in demo mode, and some
// validator takes witnesses of that kind for the property; elsewhere it counts without one.
func (v *Validation) apply(c *campaign.Campaign, log *campaign.Log, ed *edition.Edition) {
	for run, f := range log.Finished {
		i, _ := c.Plan.Instance(run.Instance)
		if i.Task == nil {
			f.Witnesses = v.onNet(run, f)
			continue
		}
		if f.Answers.IsZero() || run.Repetition > 0 || !v.asks(i, f.Answers.First().Text) || !asksWitness(ed, i.Task, f.Answers.First().Text, run.Exam) {
			continue
		}
		f.Witnesses = []campaign.Witnessed{v.of(run, f)}
	}
}

// onNet adds to what the replay says of the answers of a run on a net what validators say where
// the replay has neither confirmed nor refuted.
func (v *Validation) onNet(run campaign.Run, f *campaign.Finished) []campaign.Witnessed {
	list := slices.Clone(f.Witnesses)
	for a := range f.Answers.All() {
		name, planned := v.names[validatedAnswer{run, f.Left.SHA256, a.Item}]
		if !planned {
			continue
		}
		w := campaign.Witnessed{Item: a.Item, State: witness.Unconfirmed}
		v.judge(&w, name, a.Text)
		at := slices.IndexFunc(list, func(w campaign.Witnessed) bool { return w.Item == a.Item })
		switch {
		case at < 0:
			list = append(list, w)
		case list[at].State == witness.Unconfirmed || list[at].State == witness.NotAsked:
			if list[at].Detail != "" {
				w.Detail += "; the replay: " + list[at].Detail
			}
			w.Proved = list[at].Proved
			list[at] = w
		}
	}
	return list
}

// asks reports whether a validator takes the witness of an answer.
func (v *Validation) asks(i campaign.PlannedInstance, answer string) bool {
	asked := *i.Task
	asked.Validates = &campaign.Validated{Answer: answer}
	i.Task = &asked
	return slices.ContainsFunc(v.Campaign.Plan.Tools, func(t campaign.PlannedTool) bool { return t.TakesPart(i, "") })
}

// asksWitness reports whether the edition asks an answer to a task for a witness.
func asksWitness(ed *edition.Edition, t *campaign.PlannedTask, answer string, category examinations.ID) bool {
	_, part := verdict.Parse(answer)
	return ed.AsksWitness(campaign.WitnessKind(answer), t.Property, part, string(category))
}

// of says what is known of the witness of an answer: one validator that confirms is
// enough, whatever others say.
func (v *Validation) of(run campaign.Run, f *campaign.Finished) campaign.Witnessed {
	w := campaign.Witnessed{Item: f.Answers.First().Item, State: witness.Unconfirmed}
	name, planned := v.names[validatedAnswer{run, f.Left.SHA256, ""}]
	switch {
	case f.Left.Size == 0:
		w.Detail = "the run left no witness"
		return w
	case !planned:
		w.Detail = "its validation is not planned yet"
		return w
	}
	v.judge(&w, name, f.Answers.First().Text)
	return w
}

// judge notes what the validators say of the witness of an answer, by the name of its instance.
func (v *Validation) judge(w *campaign.Witnessed, name, answer string) {
	kinds := map[witness.State][]string{}
	asked, _ := v.Campaign.Plan.Instance(name)
	w.Format = asked.Validates().Format
	if refused := asked.Validates().Refused; refused != "" {
		w.Detail = "no validator got it, its form is wrong: " + refused
		w.Malformed = true
		return
	}
	category := asked.Task.Categories[0]
	missing := 0
	for _, t := range v.Campaign.Plan.Tools {
		if !t.TakesPart(asked, category) {
			continue
		}
		end, done := v.log.Finished[campaign.Run{Tool: t.Name, Instance: name, Exam: category}]
		if !done {
			missing++
			continue
		}
		says := said(end, answer)
		kinds[says] = append(kinds[says], t.Name)
	}
	var parts []string
	for _, s := range []witness.State{witness.Unconfirmed, witness.Refuted, witness.Confirmed} {
		if len(kinds[s]) > 0 {
			parts = append(parts, string(s)+" by "+strings.Join(kinds[s], ", "))
			if s != witness.Unconfirmed {
				w.State = s
			}
		}
	}
	slices.Reverse(parts)
	if missing > 0 {
		parts = append(parts, fmt.Sprintf("%s missing", wording.Count(missing, "run of a validator is", "runs of validators are")))
	}
	w.Detail = strings.Join(parts, "; ")
}

// said is what the run of a validator says of the witness of an answer: its own verdict
// is the same truth value, the other one, or none.
func said(end *campaign.Finished, answer string) witness.State {
	if end.Answers.IsZero() {
		return witness.Unconfirmed
	}
	own, _ := verdict.Parse(end.Answers.First().Text)
	claimed, _ := verdict.Parse(answer)
	if own == claimed {
		return witness.Confirmed
	}
	return witness.Refuted
}

// onlyValidation refuses to score a validation for itself.
func onlyValidation(c *campaign.Campaign) error {
	if !c.Plan.Validates() {
		return nil
	}
	return diagnostic.List{{File: c.Dir, Code: "campaign-validation", Message: "this campaign validates the witnesses of another, and has no scores of its own",
		Hint: "score and publish " + filepath.Dir(filepath.Clean(c.Dir)) + ", which counts what it finds"}}
}
