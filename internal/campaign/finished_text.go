package campaign

import (
	"bytes"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/vm"
)

// finishedText reads the end of a run as this program writes it: the fields in their
// order, texts without escapes. Nearly all of a journal are such ends, and a parser
// of JSON takes ten times as long. Whatever looks otherwise makes it fail, and is left
// to the parser.
type finishedText struct {
	rest   []byte
	failed bool
	words  *interner
}

// has takes a literal that may be there.
func (t *finishedText) has(literal string) bool {
	if t.failed || len(t.rest) < len(literal) || string(t.rest[:len(literal)]) != literal {
		return false
	}
	t.rest = t.rest[len(literal):]
	return true
}

// want takes a literal that must be there.
func (t *finishedText) want(literal string) {
	if !t.has(literal) {
		t.failed = true
	}
}

// raw takes a text behind a key, in quotes.
func (t *finishedText) raw(key string) []byte {
	t.want(key)
	t.want(`"`)
	end := bytes.IndexByte(t.rest, '"')
	if t.failed || end < 0 || !plain(t.rest[:end]) {
		t.failed = true
		return nil
	}
	text := t.rest[:end]
	t.rest = t.rest[end+1:]
	return text
}

func (t *finishedText) text(key string) string { return t.words.word(t.raw(key)) }

// number takes a whole number behind a key.
func (t *finishedText) number(key string) (n int64) {
	t.want(key)
	negative := t.has("-")
	digits := 0
	for digits < len(t.rest) && '0' <= t.rest[digits] && t.rest[digits] <= '9' {
		n = n*10 + int64(t.rest[digits]-'0')
		digits++
	}
	if digits == 0 || digits > 18 || digits > 1 && t.rest[0] == '0' {
		t.failed = true
		return 0
	}
	t.rest = t.rest[digits:]
	if negative {
		return -n
	}
	return n
}

// optional takes a number behind a key that may be missing.
func (t *finishedText) optional(key string) int64 {
	if !t.has(key) {
		return 0
	}
	return t.number("")
}

// plain tells whether a text in JSON stands for itself, byte by byte.
func plain(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c == '\\' || c > '~' {
			return false
		}
	}
	return true
}

// finished reads a record into f; false leaves it to the parser of JSON.
func (t *finishedText) finished(f *Finished, withAnswers bool) bool {
	f.Run = Run{Tool: t.text(`{"finished":{"run":{"tool":`), Instance: t.text(`,"instance":`), Exam: examinations.ID(t.text(`,"exam":`))}
	f.Run.Repetition = int(t.optional(`,"repetition":`))
	f.Attempt = int(t.number(`},"attempt":`))
	f.Worker = t.text(`,"worker":`)
	f.Lease = t.optional(`,"lease":`)
	t.outcome(&f.Outcome)
	participation := t.number(`,"participation":`)
	f.Participation = output.Participation(participation)
	t.failed = t.failed || participation < 0 || participation > 255
	if t.has(`,"answers":`) {
		answers := t.raw("")
		if withAnswers && !t.failed {
			var err error
			f.Answers, err = parseAnswers(answers, t.words)
			t.failed = err != nil
		}
	}
	f.Findings = int(t.optional(`,"findings":`))
	f.Misread = int(t.optional(`,"misread":`))
	if t.has(`,"cores":[`) {
		for next := ""; !t.has("]") && !t.failed; next = "," {
			f.Cores = append(f.Cores, int(t.number(next)))
		}
		t.failed = t.failed || f.Cores == nil
	}
	f.Stdout, f.Stderr = t.packRef(`,"stdout":{`), t.packRef(`,"stderr":{`)
	t.want("}}")
	return !t.failed && len(t.rest) == 0
}

func (t *finishedText) outcome(o *vm.Outcome) {
	o.Termination = vm.Termination(t.text(`,"outcome":{"Termination":`))
	o.ExitCode, o.Signal = int(t.number(`,"ExitCode":`)), int(t.number(`,"Signal":`))
	started := t.raw(`,"Started":`)
	if !t.failed && o.Started.UnmarshalText(started) != nil {
		t.failed = true
	}
	o.CPUTime, o.UserTime = time.Duration(t.number(`,"CPUTime":`)), time.Duration(t.number(`,"UserTime":`))
	o.SystemTime, o.WallTime = time.Duration(t.number(`,"SystemTime":`)), time.Duration(t.number(`,"WallTime":`))
	o.MemoryPeak, o.OutputBytes = t.number(`,"MemoryPeak":`), t.number(`,"OutputBytes":`)
	o.Measured = t.text(`,"Measured":`)
	o.HostCPUTime, o.HostMemoryPeak = time.Duration(t.number(`,"HostCPUTime":`)), t.number(`,"HostMemoryPeak":`)
	if t.has(`,"Start":`) {
		o.Start = vm.Start(t.text(""))
	}
	if t.has(`,"Energy":{`) {
		o.Energy = t.energy()
	}
	t.want(`,"Warnings":null}`)
}

// energy reads figures that may each be missing.
func (t *finishedText) energy() *vm.Energy {
	e, first := &vm.Energy{}, true
	key := func(name string) bool {
		before := t.rest
		if (first || t.has(",")) && t.has(name) {
			first = false
			return true
		}
		t.rest = before
		return false
	}
	for _, f := range []struct {
		name string
		into *int64
	}{{`"Package":`, &e.Package}, {`"Core":`, &e.Core}, {`"Uncore":`, &e.Uncore}, {`"DRAM":`, &e.DRAM}} {
		if key(f.name) {
			*f.into = t.number("")
		}
	}
	e.Estimate = key(`"Estimate":true`)
	if key(`"Why":`) {
		e.Why = t.text("")
	}
	t.want("}")
	return e
}

func (t *finishedText) packRef(key string) (ref PackRef) {
	t.want(key)
	if t.has("}") {
		return ref
	}
	ref.Pack = t.text(`"pack":`)
	ref.Offset, ref.Length, ref.Size = t.optional(`,"offset":`), t.optional(`,"length":`), t.optional(`,"size":`)
	ref.SHA256 = string(t.raw(`,"sha256":`))
	t.want("}")
	return ref
}
