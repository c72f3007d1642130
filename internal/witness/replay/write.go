package replay

import (
	"bufio"
	"errors"
	"io"

	"podium/internal/witness"
)

// widest is the number of bytes after which a fire line ends.
const widest = 100

// Write writes a witness of a net.
func (n *Net) Write(out io.Writer, w *witness.Witness) error {
	if n = n.of(w); n == nil {
		return errors.New("the net has no skeleton")
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
