package modelfiles

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/files"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Unfolding is the P/T twin of a coloured instance, before it is written.
type Unfolding struct {
	ID  models.ID // of the twin
	of  models.Instance
	net *unfold.Unfolding
}

// Unfold computes the twin of a coloured instance; id is its name, zero for that of the
// instance with PT. The error is a [diagnostic.List], an [unfold.TooLarge] or that of the
// context.
func Unfold(ctx context.Context, i models.Instance, id models.ID, exact bool) (*Unfolding, error) {
	doc, err := i.Document()
	if err != nil {
		return nil, err
	}
	if doc.Symmetric == nil {
		return nil, &NotColouredError{i.ID}
	}
	if id == (models.ID{}) {
		id = models.ID{Family: i.ID.Family, Kind: models.PT, Param: i.ID.Param}
	}
	u, err := unfold.Unfold(ctx, doc.Symmetric, unfold.Limits{Exact: exact, EveryPlace: true})
	if err != nil {
		return nil, err
	}
	u.Net.ID = pnml.AsID(id.String())
	return &Unfolding{id, i, u}, nil
}

// NotColouredError says that there is nothing to unfold.
type NotColouredError struct{ ID models.ID }

func (e *NotColouredError) Error() string {
	return e.ID.String() + " is a P/T net: there is nothing to unfold"
}

// Size is the numbers of nodes and arcs of the net.
func (u *Unfolding) Size() (places, transitions, arcs int) {
	n := u.net.Net
	return n.Places.Len(), n.Transitions.Len(), n.Pre.Len() + n.Post.Len()
}

// WriteNet writes the net as PNML, made while it is written.
func (u *Unfolding) WriteNet(w io.Writer) error { return u.net.Net.Write(w) }

// Write writes the twin as the instance directory dir/<ID>, with the formulas of the
// coloured one over its places and transitions, and the map of names, unless its file is
// "": all or nothing. Where something is there already, and replace does not let it give
// way, the error is [os.ErrExist].
func (u *Unfolding) Write(dir, names string, replace bool) error {
	o := models.WriteOptions{Twin: true, New: u.of.Facts.New, LargeMarking: u.of.Facts.LargeMarking, Unfinite: u.of.Facts.Unfinite, Replace: replace}
	var err error
	if o.Files, err = u.formulas(); err != nil {
		return err
	}
	if names == "" {
		return models.WriteInstance(dir, u.ID, u.net.Net, o)
	}
	if _, err := os.Stat(names); err == nil && !replace {
		return &os.PathError{Op: "write map", Path: names, Err: os.ErrExist}
	}
	staged, err := files.Stage(names, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "{\"format\":\"podium-unfolding/1\",\"coloured\":%q,\"unfolded\":%q}\n", u.of.ID, u.ID); err != nil {
			return err
		}
		return u.net.WriteMap(w)
	})
	if err != nil {
		return err
	}
	if err := models.WriteInstance(dir, u.ID, u.net.Net, o); err != nil {
		staged.Discard()
		return err
	}
	return staged.Commit()
}

// formulas returns the writers of the formula files.
func (u *Unfolding) formulas() (map[string]func(io.Writer) error, error) {
	e := u.expansion()
	list := map[string]func(io.Writer) error{}
	for _, exam := range examinations.All() {
		if !exam.HasFormulas() || !u.of.Has(exam.FormulaFile()) {
			continue
		}
		file := u.of.File(exam.FormulaFile())
		var expanded []formula.Property
		if err := u.of.With(exam.FormulaFile(), func(in io.Reader) (err error) {
			properties, found := formula.ReadOf(in, file, exam, &formula.NetNames{Places: &u.net.Source.Places, Transitions: &u.net.Source.Transitions})
			if found.Err() != nil {
				return found.Err()
			}
			expanded, err = e.Expand(properties)
			return err
		}); err != nil {
			return nil, err
		}
		list[exam.FormulaFile()] = func(w io.Writer) error { return formula.Write(w, expanded) }
		list[string(exam)+".txt"] = func(w io.Writer) error { return formula.WriteText(w, expanded) }
	}
	return list, nil
}

// expansion spreads the ids of the coloured net; those of one node are made once.
func (u *Unfolding) expansion() formula.Expansion {
	net, view := u.net.Net, u.net.View()
	spread := func(of func([]string) ([]uint32, error), at func(int) string) func(string) []string {
		made := map[string][]string{}
		return func(id string) []string {
			list, known := made[id]
			if !known {
				members, _ := of([]string{id}) // names were checked when they were read
				for _, m := range members {
					list = append(list, at(int(m)))
				}
				made[id] = list
			}
			return list
		}
	}
	e := formula.Expansion{
		Places:      spread(view.PlacesOf, net.Places.At),
		Transitions: spread(view.TransitionsOf, net.Transitions.At),
		Property: func(id string) string {
			if rest, ok := strings.CutPrefix(id, u.of.ID.String()+"-"); ok {
				return u.ID.String() + "-" + rest
			}
			return id
		},
	}
	if net.Transitions.Len() > 0 {
		e.Some = net.Transitions.At(0)
	}
	return e
}
