// Package liar is the built-in tool that lies, for demonstrations of what
// confidence, votes and a referee make of it: "liar". It answers as another engine
// does, and gives a wrong value in place of some right ones. Which values those
// are is drawn under a seed, so that liars of one seed tell the same lies and can
// win an election together.
package liar

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"

	"podium/examinations"
	"podium/internal/tools/engine"
)

// Engine is the method of the tool.
type Engine struct {
	Honest engine.Engine // what would be answered
	Seed   uint64
	OneIn  uint64 // one value in so many is a lie; 0 never, 1 always
}

// Answer implements [engine.Engine]. It makes the printer lie and leaves no witness,
// which would give the lies away.
func (e Engine) Answer(ctx context.Context, task engine.Task, out *engine.Printer) error {
	out.Twist(func(item string, v examinations.Value) examinations.Value {
		if !e.lies(task, item) {
			return v
		}
		return wrong(v)
	})
	task.Witnesses = nil
	return e.Honest.Answer(ctx, task, out)
}

// lies draws whether a value is to be a lie.
func (e Engine) lies(task engine.Task, item string) bool {
	if e.OneIn == 0 {
		return false
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q %q %q", e.Seed, task.Instance, task.Exam, item))
	return binary.BigEndian.Uint64(sum[:])%e.OneIn == 0
}

// wrong returns another value of the same kind: the other truth, one more than a
// number, 1 for an infinite one.
func wrong(v examinations.Value) examinations.Value {
	switch v {
	case examinations.True:
		return examinations.False
	case examinations.False:
		return examinations.True
	case examinations.Infinite:
		return examinations.Value{Kind: examinations.Nat, Text: "1"}
	}
	n, ok := new(big.Int).SetString(v.Text, 10)
	if !ok {
		return v
	}
	return examinations.Value{Kind: v.Kind, Text: n.Add(n, big.NewInt(1)).String()}
}
