package campaign

import (
	"encoding/binary"
	"time"

	"podium/vm"
)

// Ends keeps ends of runs by number, in a quarter of the memory that they have in a [Log],
// and with hardly a pointer that the collector of garbage would follow.
type Ends struct {
	list   []packedEnd
	words  []string
	opened []*Opened
	reread []*Reread
	// For Set: where these stand in the lists, and room to write in.
	wordAt   map[string]int64
	openedAt map[*Opened]int64
	room     []byte
}

// packedEnd is an end: its answers, packed before, and all else one field after the other.
type packedEnd struct {
	answers Answers
	fields  string
}

// NewEnds gives n ends that are not there.
func NewEnds(n int) *Ends {
	return &Ends{list: make([]packedEnd, n), wordAt: map[string]int64{}, openedAt: map[*Opened]int64{}}
}

// Set keeps an end under a number from 0. No other goroutine may use the ends then.
func (e *Ends) Set(i int, f Finished) {
	c := endCoder{ends: e, writing: true, written: e.room[:0]}
	c.end(&f)
	e.list[i], e.room = packedEnd{f.Answers, string(c.written)}, c.written
}

// Get gives the end of a number, if there is one. Its times are in UTC. Several goroutines
// may ask.
func (e *Ends) Get(i int) (f Finished, ok bool) {
	kept := &e.list[i]
	if kept.fields == "" {
		return f, false
	}
	c := endCoder{ends: e, left: kept.fields}
	c.end(&f)
	f.Answers = kept.answers
	return f, true
}

// Said gives of the end of a number only its answers and witnesses, in less time. Several
// goroutines may ask.
func (e *Ends) Said(i int) (f Finished) {
	if kept := &e.list[i]; kept.fields != "" {
		c := endCoder{ends: e, left: kept.fields}
		c.witnesses(&f)
		f.Answers = kept.answers
	}
	return f
}

// endCoder writes the fields of an end as bytes, or reads them again: the same functions
// name the fields for both, in one order.
type endCoder struct {
	ends    *Ends
	writing bool
	written []byte
	left    string
}

func (c *endCoder) end(f *Finished) {
	c.witnesses(f) // first, for Said
	word(c, &f.Run.Tool)
	word(c, &f.Run.Instance)
	word(c, &f.Run.Exam)
	number(c, &f.Run.Repetition)
	number(c, &f.Attempt)
	word(c, &f.Worker)
	number(c, &f.Lease)
	c.outcome(&f.Outcome)
	number(c, &f.Participation)
	number(c, &f.Findings)
	number(c, &f.Misread)
	each(c, &f.Cores, number)
	for _, ref := range []*PackRef{&f.Stdout, &f.Stderr, &f.Left} {
		word(c, &ref.Pack)
		number(c, &ref.Offset)
		number(c, &ref.Length)
		number(c, &ref.Size)
		c.text(&ref.SHA256)
	}
	listed(c, &f.Reread, &c.ends.reread, nil)
	listed(c, &f.made.by, &c.ends.opened, c.ends.openedAt)
	word(c, &f.made.model)
	number(c, &f.made.end)
	c.flag(&f.made.old)
}

func (c *endCoder) witnesses(f *Finished) {
	each(c, &f.Witnesses, func(c *endCoder, w *Witnessed) {
		word(c, &w.Item)
		word(c, &w.State)
		word(c, &w.Proved)
		c.text(&w.Detail)
		word(c, &w.Format)
		c.flag(&w.Malformed)
	})
}

func (c *endCoder) outcome(o *vm.Outcome) {
	word(c, &o.Termination)
	number(c, &o.ExitCode)
	number(c, &o.Signal)
	second, nanosecond := o.Started.Unix(), o.Started.Nanosecond()
	number(c, &second)
	number(c, &nanosecond)
	o.Started = time.Unix(second, int64(nanosecond)).UTC()
	number(c, &o.CPUTime)
	number(c, &o.UserTime)
	number(c, &o.SystemTime)
	number(c, &o.WallTime)
	number(c, &o.MemoryPeak)
	number(c, &o.OutputBytes)
	word(c, &o.Measured)
	number(c, &o.HostCPUTime)
	number(c, &o.HostMemoryPeak)
	word(c, &o.Start)
	word(c, &o.WhyBooted)
	each(c, &o.Unmeasured, word)
	measured := o.Energy != nil
	if c.flag(&measured); measured {
		if !c.writing {
			o.Energy = &vm.Energy{}
		}
		number(c, &o.Energy.Package)
		number(c, &o.Energy.Core)
		number(c, &o.Energy.Uncore)
		number(c, &o.Energy.DRAM)
		c.flag(&o.Energy.Estimate)
		word(c, &o.Energy.Why)
	}
	each(c, &o.Warnings, word)
}

// number is a number in few bytes where it is small.
func number[T ~int | ~int64 | ~uint8](c *endCoder, n *T) {
	if c.writing {
		c.written = binary.AppendVarint(c.written, int64(*n))
		return
	}
	var read int64
	read, c.left = varint(c.left)
	*n = T(read)
}

func (c *endCoder) flag(set *bool) {
	n := 0
	if *set {
		n = 1
	}
	number(c, &n)
	*set = n == 1
}

// text is a text of its own.
func (c *endCoder) text(s *string) {
	n := len(*s)
	number(c, &n)
	if c.writing {
		c.written = append(c.written, *s...)
		return
	}
	*s, c.left = c.left[:n], c.left[n:]
}

// word is a text that many ends share.
func word[T ~string](c *endCoder, s *T) {
	at, known := int64(0), false
	if c.writing {
		if at, known = c.ends.wordAt[string(*s)]; !known {
			at = int64(len(c.ends.words))
			c.ends.words, c.ends.wordAt[string(*s)] = append(c.ends.words, string(*s)), at
		}
	}
	number(c, &at)
	*s = T(c.ends.words[at])
}

// listed is a pointer of a list, which known finds in it, or nil.
func listed[T any](c *endCoder, p **T, list *[]*T, known map[*T]int64) {
	at := int64(-1)
	if c.writing && *p != nil {
		found := false
		if at, found = known[*p]; !found {
			at, *list = int64(len(*list)), append(*list, *p)
			if known != nil {
				known[*p] = at
			}
		}
	}
	if number(c, &at); at >= 0 {
		*p = (*list)[at]
	}
}

// each is a list. One without elements is nil.
func each[T any](c *endCoder, list *[]T, one func(*endCoder, *T)) {
	n := len(*list)
	number(c, &n)
	if !c.writing && n > 0 {
		*list = make([]T, n)
	}
	for i := range *list {
		one(c, &(*list)[i])
	}
}
