package replay

import (
	"bufio"
	"io"
	"strconv"

	"podium/internal/witness"
	"podium/pnml"
)

// widest is the number of bytes after which a fire line ends.
const widest = 100

// Write writes a witness of a net.
func (n *Net) Write(out io.Writer, w *witness.Witness) error {
	of := n.coloured
	n, err := n.of(w)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(out, 1<<16)
	line := func(words ...string) {
		for i, word := range words {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(word)
		}
		b.WriteByte('\n')
	}
	line("format", witness.Format)
	line("instance", string(witness.AppendName(nil, w.Instance)))
	line("examination", string(w.Exam))
	if w.Skeleton {
		line("skeleton")
	}
	for p, components := range w.Merging {
		for i, c := range components {
			writeMerged(b, of.net, p, i, c)
		}
	}
	for _, c := range w.Claims {
		line("value", c.String())
	}
	for i := range w.Paths {
		r := &w.Paths[i]
		line("run")
		at := 0
		for _, inner := range r.Inner {
			n.writeFirings(b, r.Fire[at:inner.From])
			line("cycle")
			n.writeFirings(b, r.Fire[inner.From:inner.To])
			line("then")
			at = inner.To
		}
		if r.Cycle < 0 {
			n.writeFirings(b, r.Fire[at:])
			continue
		}
		n.writeFirings(b, r.Fire[at:r.Cycle])
		line("cycle")
		n.writeFirings(b, r.Fire[r.Cycle:])
	}
	if w.Proof != nil {
		n.writeProof(b, w.Proof)
	}
	if w.Branches != nil {
		n.writeBranches(b, w.Branches)
	}
	if w.Enumerate {
		line("enumerate")
	}
	line("end")
	return b.Flush()
}

// writeMerged writes which colours of a component of a place are merged: the first and the
// last of those that follow each other.
func writeMerged(b *bufio.Writer, net *pnml.Symmetric, place, component int, merged []uint32) {
	sort := net.Components(place)
	others := make([][]uint64, len(merged)) // by class, the ends of intervals
	for v, first := range merged {
		x := &others[first]
		if n := len(*x); n == 0 || (*x)[n-1] != uint64(v)-1 {
			*x = append(*x, uint64(v), uint64(v))
		} else {
			(*x)[n-1] = uint64(v)
		}
	}
	for first, ends := range others {
		var line []byte
		for k, v := range ends {
			switch {
			case len(ends) == 2 && ends[0] == ends[1]:
				continue // merged with none
			case len(line) == 0:
				line = witness.AppendName(append(line, "merged "...), net.Places.At(place))
				line = strconv.AppendInt(append(line, ' '), int64(component+1), 10)
				if k > 0 { // goes on with the line before
					line = append(appendColour(append(line, ' '), net, sort[component], uint64(first)), ' ')
					line = appendColour(line, net, sort[component], uint64(first))
				}
			}
			line = appendColour(append(line, ' '), net, sort[component], v)
			if k%2 == 1 && len(line) >= widest || k == len(ends)-1 {
				b.Write(append(line, '\n'))
				line = line[:0]
			}
		}
	}
}

func (n *Net) writeFirings(b *bufio.Writer, fire []uint32) {
	var line []byte
	for i, t := range fire {
		if len(line) == 0 {
			line = append(line, "fire"...)
		}
		line = n.appendFiring(append(line, ' '), t)
		if len(line) >= widest || i == len(fire)-1 {
			b.Write(append(line, '\n'))
			line = line[:0]
		}
	}
}
