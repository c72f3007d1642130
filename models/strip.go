package models

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"podium/internal/files"
	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// Stripping makes a copy of an instance that no longer tells which model it is
// (the class Stripped of E-4.4): ids are replaced by numbers under a seed,
// places, transitions and arcs stand in a random order, and names, graphics,
// comments and toolspecific sections (NUPN with them) are left out. What the
// net does, and so every verdict, stays the same. The order of the constants of
// a sort has a meaning (successor, comparison) and stays.

// StripOptions say how an instance is stripped.
type StripOptions struct {
	ID   ID     // name of the stripped instance; zero for S_ and the old name
	Seed string // secret; the same seed gives the same bytes

	// KeepOrder leaves nodes and arcs in their order, and keeps the units of NUPN: the
	// copy differs in names and ids alone. It hides less; it is for comparisons.
	KeepOrder bool

	// Sealed is the file for the map back, "" where the caller keeps the renaming. It is
	// made with the copy, or neither is.
	Sealed string

	Replace bool // a copy and a map that are there already give way

	// Formulas returns the formula files of the stripped instance by name, made
	// from the old ones under the renaming; nil leaves them out.
	Formulas func(r *Renaming) (map[string]func(w io.Writer) error, error)
}

// Strip writes the stripped copy of an instance to dir/<o.ID>, whole or not at
// all, and returns the renaming, which is stored elsewhere. Only files
// that are known to name nothing are copied; GenericPropertiesVerdict.xml, for
// one, is left out. The error may be a [diagnostic.List] of what in the net
// could not be stripped.
func Strip(i Instance, dir string, o StripOptions) (*Renaming, error) {
	if o.ID == (ID{}) {
		o.ID = ID{StrippedPrefix + i.ID.Family, i.ID.Kind, i.ID.Param}
	}
	if o.ID == i.ID || o.ID.Kind != i.ID.Kind {
		return nil, fmt.Errorf("%s cannot be stripped to %s: give another name of the same kind", i.ID, o.ID)
	}
	if _, err := i.Document(); err != nil {
		return nil, err
	}
	net, err := prepareStrip(i.File(ModelFile), func(use func(io.Reader) error) error { return i.With(ModelFile, use) }, i.ID, o)
	if err != nil {
		return nil, err
	}
	write := WriteOptions{Twin: i.Facts.Twin == Yes, LargeMarking: i.Facts.LargeMarking, Unfinite: i.Facts.Unfinite, Replace: o.Replace}
	if o.Formulas != nil {
		if write.Files, err = o.Formulas(net.renaming); err != nil {
			return nil, err
		}
	}
	if o.Sealed == "" {
		return net.renaming, WriteInstance(dir, o.ID, net, write)
	}
	return net.renaming, writeSealed(dir, o, net, write)
}

// writeSealed writes copy and map.
func writeSealed(dir string, o StripOptions, net strippedNet, write WriteOptions) error {
	if _, err := os.Stat(o.Sealed); err == nil && !o.Replace {
		return &os.PathError{Op: "write map", Path: o.Sealed, Err: os.ErrExist}
	}
	sealed, err := files.Stage(o.Sealed, net.renaming.Write)
	if err != nil {
		return err
	}
	if err := WriteInstance(dir, o.ID, net, write); err != nil {
		sealed.Discard()
		return err
	}
	return sealed.Commit()
}

// prepareStrip reads the document a first time, for its ids.
func prepareStrip(file string, open func(func(io.Reader) error) error, id ID, o StripOptions) (strippedNet, error) {
	ids := newIDCensus()
	if err := open(func(r io.Reader) error { return ids.take(xmlscan.New(r, file)) }); err != nil {
		return strippedNet{}, err
	}
	random := randomOf(o.Seed, id)
	renaming := ids.renaming(random, o.KeepOrder)
	renaming.Original, renaming.Stripped, renaming.Seed = id.String(), o.ID.String(), o.Seed
	return strippedNet{file, open, renaming, ids.prefixes(), random, o.KeepOrder}, nil
}

// randomOf is a generator that nobody without the seed can follow.
func randomOf(seed string, id ID) *rand.Rand {
	return rand.New(rand.NewChaCha8(sha256.Sum256([]byte(id.String() + "\x00" + seed))))
}

// idKinds are the elements that declare an id, and how the new ids begin.
var idKinds = map[string]string{
	"place": "p", "transition": "t", "referencePlace": "p", "referenceTransition": "t", "arc": "a", "page": "g",
	"namedsort": "s", "feconstant": "c", "variabledecl": "v", "partition": "e", "partitionelement": "e",
}

// idCensus knows the ids of a document, in the order of their elements.
type idCensus struct {
	kinds []string            // prefixes, in order of appearance
	ids   map[string][]string // by prefix
	seen  map[string]bool
	stems map[string]bool // what stands before the final digits of some id
}

func newIDCensus() *idCensus {
	return &idCensus{ids: map[string][]string{}, seen: map[string]bool{}, stems: map[string]bool{}}
}

// take reads the document. Arcs and pages are only numbered, so their ids are
// not kept.
func (c *idCensus) take(s *xmlscan.Scanner) error {
	for event := s.Next(); event != xmlscan.EOF; event = s.Next() {
		if event != xmlscan.Start {
			continue
		}
		name := string(s.Name())
		if name == "toolspecific" {
			s.Skip()
			continue
		}
		value, ok := s.Attr("id")
		prefix := idKinds[name]
		if !ok || prefix == "" {
			continue
		}
		id := strings.Trim(string(value), xmlSpace)
		c.stems[strings.TrimRight(id, "0123456789")] = true
		if prefix == "a" || prefix == "g" || c.seen[id] {
			continue
		}
		if c.ids[prefix] == nil {
			c.kinds = append(c.kinds, prefix)
		}
		c.seen[id] = true
		c.ids[prefix] = append(c.ids[prefix], id)
	}
	return s.Err()
}

// prefixes makes the prefixes such that no new id is an old one.
func (c *idCensus) prefixes() map[string]string {
	out := map[string]string{}
	for _, prefix := range idKinds {
		p := prefix
		for c.stems[p] {
			p += "x"
		}
		out[prefix] = p
	}
	return out
}

// renaming numbers the ids of each kind in a random order, unless it is kept.
// Constants keep theirs, which the net shows anyway.
func (c *idCensus) renaming(random *rand.Rand, keepOrder bool) *Renaming {
	r, prefixes := newRenaming(), c.prefixes()
	for _, kind := range c.kinds {
		number := random.Perm(len(c.ids[kind]))
		for k, id := range c.ids[kind] {
			n := number[k]
			if kind == "c" || keepOrder {
				n = k
			}
			r.add(id, fmt.Sprintf("%s%d", prefixes[kind], n+1))
		}
	}
	return r
}

// strippedNet is a [Model] that strips while it is written.
type strippedNet struct {
	file     string // name in findings
	open     func(use func(io.Reader) error) error
	renaming *Renaming
	prefixes map[string]string
	random   *rand.Rand

	keepOrder bool
}

// Write implements [Model].
func (n strippedNet) Write(w io.Writer) error {
	return n.open(func(r io.Reader) error {
		buffered := bufio.NewWriterSize(w, 1<<16)
		x := netStripper{s: xmlscan.New(r, n.file), net: n}
		x.document(buffered)
		if fault, ok := x.s.Fault(); ok {
			x.findings.Add(fault)
		}
		if err := x.findings.Err(); err != nil {
			x.findings.Sort()
			return x.findings
		}
		return buffered.Flush()
	})
}

// netStripper rewrites one document.
type netStripper struct {
	s        *xmlscan.Scanner
	net      strippedNet
	findings diagnostic.List
	pages    int
	arcs     int
	pending  bytes.Buffer // units that are not yet written
}

// refuse reports what cannot be stripped without harm; what follows may be
// wrong, so only the first hundred are kept.
func (x *netStripper) refuse(code, format string, args ...any) {
	if len(x.findings) < 100 {
		x.findings.Add(x.s.Diagnostic(diagnostic.Error, code, fmt.Sprintf(format, args...), "remove or correct it in the net, and strip again"))
	}
}
