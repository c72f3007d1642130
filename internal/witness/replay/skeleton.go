package replay

import (
	"errors"
	"slices"

	"podium/examinations"
	"podium/internal/witness"
	"podium/pnml/unfold"
)

// of returns the net that a witness is about: this one, or its skeleton; nil where it has none.
func (n *Net) of(w *witness.Witness) *Net {
	if !w.Skeleton || n.view.Skeleton {
		return n
	}
	if n.skeleton == nil && n.view.Coloured() {
		if view, ok := unfold.Skeleton(n.view.Unfolding.Source); ok {
			n.skeleton = NewNet(view)
		}
	}
	return n.skeleton
}

// errSkeleton says that a formula needs to know what is enabled.
var errSkeleton = errors.New("a marking of the skeleton does not show what is enabled in the coloured net")

// beyondSkeleton says why a witness shows nothing on a skeleton, which may do more than the
// coloured net: its runs may be none of the coloured net, nor its ways back. What it never
// does, the coloured net never does; and the initial markings have as many tokens.
func beyondSkeleton(n *Net, w *witness.Witness) string {
	switch {
	case n == nil:
		return "the net has no skeleton"
	case !w.Skeleton:
		return "the unfolding of the net is too large, and the witness is not about its skeleton"
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
