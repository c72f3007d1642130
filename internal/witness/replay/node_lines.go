package replay

import (
	"fmt"
	"strconv"

	"podium/internal/witness"
)

// node reads a node of the last diagram: its edges, each tokens and a node.
func (r *Reader) node(text []byte, at int) {
	p := r.witness.Proof
	if len(p.Diagrams) == 0 || len(p.Trees) > 0 {
		r.complain(text, 1, "witness-order", "the line \"node\" stands elsewhere", "nodes stand behind the line diagram, before the cases")
		return
	}
	if r.taken++; r.taken > maxTerms { // a line without words counts, too
		r.complain(text, 1, "witness-limit", fmt.Sprintf("a proof has %d words at most", maxTerms), "")
		return
	}
	d := p.Diagrams[len(p.Diagrams)-1]
	d.Nodes = append(d.Nodes, nil)
	edges := &d.Nodes[len(d.Nodes)-1]
	r.more = func(word string) error {
		number, err := strconv.ParseUint(word, 10, 32)
		if err != nil || !decimal(word) {
			return fmt.Errorf("%s is no number of tokens or of a node", excerpt(word))
		}
		if r.half = !r.half; r.half {
			*edges = append(*edges, witness.Edge{Tokens: number})
		} else {
			(*edges)[len(*edges)-1].To = uint32(number)
		}
		return nil
	}
	r.words(text, at, r.more)
}
