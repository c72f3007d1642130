package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"podium/examinations"
	"podium/internal/witness"
	"podium/pnml"
	"podium/pnml/unfold"
)

// coloured is a coloured net, with its unfolding and what stands for it, each made when a
// witness is about it.
type coloured struct {
	net             *pnml.Symmetric
	limits          unfold.Limits
	whole, skeleton *Net
	merged          []merged
}

// merged is the net with merged colours, or why there is none.
type merged struct {
	by  pnml.Merging
	net *Net
	why error
}

// maxMerged bounds the different nets with merged colours.
const maxMerged = 16

var (
	errNoSkeleton = errors.New("the net has no skeleton: it has no colours, or an inscription stands for more tokens under one binding than under another")
	errNoColours  = errors.New("the net has no colours")
)

// of returns the net that a witness is about: the skeleton, the net with merged colours, or
// this one, which is unfolded where that was not done.
func (n *Net) of(w *witness.Witness) (*Net, error) {
	c := n.coloured
	switch {
	case n.net != nil && w.Skeleton == n.view.Skeleton && w.Merging == nil:
		return n, nil
	case w.Skeleton && c == nil:
		return nil, errNoSkeleton
	case w.Skeleton:
		return c.withoutColours(n)
	case n.net != nil && w.Merging == nil:
		return n, nil
	case c == nil || c.net == nil:
		return nil, errNoColours
	case w.Merging != nil:
		return c.merge(n, w.Merging)
	case c.whole == nil:
		u, err := unfold.Unfold(context.Background(), c.net, c.limits) // the limits end it
		if err != nil {
			return nil, err
		}
		c.whole = n.beside(u.View())
	}
	return c.whole, nil
}

// beside is another view of the same net.
func (n *Net) beside(view unfold.View) *Net {
	other := NewNet(view)
	other.small = n.small
	return other
}

func (c *coloured) withoutColours(n *Net) (*Net, error) {
	if c.skeleton == nil {
		view, ok := unfold.Skeleton(c.net)
		if !ok {
			return nil, errNoSkeleton
		}
		c.skeleton = n.beside(view)
	}
	return c.skeleton, nil
}

func (c *coloured) merge(n *Net, by pnml.Merging) (*Net, error) {
	for _, m := range c.merged {
		if slices.EqualFunc(m.by, by, func(a, b [][]uint32) bool { return slices.EqualFunc(a, b, slices.Equal[[]uint32]) }) {
			return m.net, m.why
		}
	}
	if len(c.merged) == maxMerged {
		return nil, fmt.Errorf("the witnesses merge colours in more than %d ways", maxMerged)
	}
	m := merged{by: by}
	if m.why = Unlike(c.net, by); m.why == nil {
		var view unfold.View
		if view, m.why = unfold.Merged(context.Background(), c.net, by, c.limits); m.why == nil {
			m.net = n.beside(view)
		}
	}
	c.merged = append(c.merged, m)
	return m.net, m.why
}

// errSkeleton says that a formula needs to know what is enabled.
var errSkeleton = errors.New("a marking of the skeleton does not show what is enabled in the coloured net")

// beyond says why a witness shows nothing on a net that stands for the coloured one. One with
// merged colours has other markings, but formulas do not tell. A skeleton may do more than the
// coloured net: its runs may be none of the coloured net, nor its ways back. What it never
// does, the coloured net never does; and the initial markings have as many tokens.
func (n *Net) beyond(w *witness.Witness) string {
	switch {
	case n.view.Merging != nil && w.Exam == examinations.StateSpace:
		return "a net with merged colours has other markings than the coloured net"
	case !n.view.Skeleton:
		return ""
	case !w.Skeleton:
		return "the witness is not about the skeleton"
	case w.Exam == examinations.StateSpace:
		return "a skeleton has other markings than the coloured net"
	case w.Enumerate || w.Branches != nil || slices.ContainsFunc(w.Paths, func(p witness.Path) bool { return len(p.Fire) > 0 }):
		return "a skeleton may do what the coloured net does not: only a proof, or the initial marking, shows something"
	case w.Proof == nil:
		return ""
	case slices.ContainsFunc(w.Proof.Trees, func(t witness.Tree) bool { return t.Head.Back() }):
		return "a way back in the skeleton may be none in the coloured net"
	case w.Exam == examinations.LTLFireability && ofState(firstHead(w.Proof)):
		return errSkeleton.Error()
	}
	return ""
}
