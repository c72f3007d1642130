package edition

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"podium/pnml/diagnostic"
	"podium/scoring"
)

// use is one function that an edition names, with the parameters as given.
type use struct {
	section  string // consistent, confidence, elect, flags, scoring or ranking
	index    int    // in the table of the section
	function function
	given    map[string]string
	rule     string // its number, empty where the file gives none
	only     string // of a rule of points: nets or tasks; empty for both
}

// Change sets one parameter of an edition to another value, to see what another
// rule would have given. Function may be empty where the section has only one.
type Change struct {
	Section  string // consistent, confidence, elect, scoring, ranking, votes or certified
	Function string
	Param    string
	Value    string
}

// String is the form that ParseChange reads.
func (c Change) String() string {
	path := c.Section
	for _, part := range []string{c.Function, c.Param} {
		if part != "" {
			path += "." + part
		}
	}
	return path + "=" + c.Value
}

// ParseChange reads "elect.tie=supporters", "scoring.bonus-least.within=1/20",
// "votes=one-per-family" or "certified=overrides".
func ParseChange(text string) (Change, error) {
	path, value, ok := strings.Cut(text, "=")
	parts := strings.Split(path, ".")
	switch {
	case ok && len(parts) == 1 && (parts[0] == "votes" || parts[0] == "certified"):
		return Change{Section: parts[0], Value: value}, nil
	case ok && len(parts) == 2:
		return Change{Section: parts[0], Param: parts[1], Value: value}, nil
	case ok && len(parts) == 3:
		return Change{Section: parts[0], Function: parts[1], Param: parts[2], Value: value}, nil
	}
	return Change{}, fmt.Errorf("%q is no change: write section.parameter=value or section.function.parameter=value", text)
}

// With returns the edition with changed parameters. A change of a function that
// the edition does not name, or to a value that the parameter cannot have, is
// an error.
func (e *Edition) With(changes ...Change) (*Edition, error) {
	out, scheme := *e, *e.Scheme
	out.Scheme = &scheme
	out.uses = slices.Clone(e.uses)
	scheme.Rules = slices.Clone(e.Scheme.Rules)
	scheme.Flags = slices.Clone(e.Scheme.Flags)
	out.Changes = append(slices.Clone(e.Changes), changes...)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %q", e.Digest, changes))
	out.Digest = hex.EncodeToString(sum[:])
	for _, c := range changes {
		switch c.Section {
		case "votes":
			if c.Value != "every-tool" && c.Value != "one-per-family" && c.Value != "competitors" {
				return nil, fmt.Errorf("votes is every-tool, one-per-family or competitors, not %q", c.Value)
			}
			scheme.OnePerFamily, scheme.CompetitorsVote = c.Value == "one-per-family", c.Value == "competitors"
		case "certified":
			table := functionsOf(certifiedFunctions)
			f := slices.IndexFunc(table, func(f function) bool { return f.Name == c.Value })
			if f < 0 {
				return nil, fmt.Errorf("certified is one of %s, not %q", names(table), c.Value)
			}
			scheme.Certified = certifiedFunctions[f].Make(nil)
		default:
			if err := out.change(c); err != nil {
				return nil, err
			}
		}
	}
	return &out, nil
}

// change sets a parameter in every use that fits and makes the functions again.
func (e *Edition) change(c Change) error {
	fits := 0
	position := map[string]int{}
	for i, u := range e.uses {
		at := position[u.section]
		position[u.section]++
		if u.section != c.Section || c.Function != "" && u.function.Name != c.Function || !hasParam(u.function, c.Param) {
			continue
		}
		fits++
		given := maps.Clone(u.given)
		given[c.Param] = c.Value
		args, wrong := u.function.check(given)
		for _, err := range wrong {
			return err
		}
		e.uses[i].given = given
		e.remake(u, at, args)
	}
	if fits == 0 {
		var sections, params []string
		for _, u := range e.uses {
			sections = append(sections, u.section)
			for _, p := range u.function.Params {
				if u.section == c.Section {
					params = append(params, p.Name)
				}
			}
		}
		near := diagnostic.Instead(c.Section, distinct(sections))
		if slices.Contains(sections, c.Section) {
			near = diagnostic.Instead(c.Param, distinct(params))
		}
		return fmt.Errorf("edition %s has no function with a parameter %q under %q%s", e.ID, c.Param, c.Section, near)
	}
	return nil
}

// distinct sorts names, and gives each once.
func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

func hasParam(f function, name string) bool {
	return slices.ContainsFunc(f.Params, func(p param) bool { return p.Name == name })
}

// remake puts the function of a use back into the scheme, at its place in the
// section.
func (e *Edition) remake(u use, at int, args arguments) {
	s := e.Scheme
	switch u.section {
	case "consistent":
		s.Consistent = consistentFunctions[u.index].Make(args)
	case "confidence":
		s.Share = shareFunctions[u.index].Make(args)
	case "elect":
		s.Elect = electFunctions[u.index].Make(args)
	case "flags":
		s.Flags[at].Detect = flagFunctions[u.index].Make(args)
	case "scoring":
		s.Rules[at].Apply = u.onlyOf(ruleFunctions[u.index].Make(args))
	case "ranking":
		s.Ranking = rankingFunctions[u.index].Make(args)
	}
}

// onlyOf limits a rule of points to nets, or to tasks, where the edition says so.
func (u use) onlyOf(apply func(*scoring.Peers, string)) func(*scoring.Peers, string) {
	if u.only == "" {
		return apply
	}
	return scoring.OnlyOf(u.only == "tasks", apply)
}

// Twinning says which formulas COL and PT twins share in this edition, by the
// parameters of its flag twins-disagree; without that flag they share none.
func (e *Edition) Twinning() scoring.Twinning {
	for _, u := range e.uses {
		if u.section == "flags" && u.function.Name == "twins-disagree" {
			args, _ := u.function.check(u.given)
			return scoring.Twinning{First: int(args.Int("first")), Except: args.List("except")}
		}
	}
	return scoring.Twinning{}
}
