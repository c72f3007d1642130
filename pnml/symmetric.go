package pnml

import "io"

// Symmetric is a symmetric net.
type Symmetric struct {
	ID, Name string
}

type symmetricReader struct{ r *reader }

func newSymmetricReader(r *reader) *symmetricReader { return &symmetricReader{r} }

func (s *symmetricReader) declaration() { s.r.s.Skip() }

func (s *symmetricReader) newPlace(Position)      {}
func (s *symmetricReader) newTransition(Position) {}

func (s *symmetricReader) placeLabel(int) bool      { return s.skip("type", "hlinitialMarking") }
func (s *symmetricReader) transitionLabel(int) bool { return s.skip("condition", "") }
func (s *symmetricReader) arcLabel(*bool, *int32) bool {
	return s.skip("hlinscription", "")
}
func (s *symmetricReader) skip(a, b string) bool {
	if n := string(s.r.s.Name()); n == a || n == b {
		s.r.s.Skip()
		return true
	}
	return false
}
func (s *symmetricReader) connect(nodeKind, uint32, uint32, int32, Position) {}
func (s *symmetricReader) finish() *Symmetric                                { return &Symmetric{ID: s.r.id, Name: s.r.name} }

// Write writes the net.
func (s *Symmetric) Write(io.Writer) error { return nil }
