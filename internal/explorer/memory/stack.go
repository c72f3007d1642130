package memory

// Stack is a stack of numbers. It grows in pieces, whose bytes count in a budget; the first one is
// small at first, for many stacks stay small.
type Stack[T Cell] struct {
	budget  *Budget
	pieces  [][]T
	n, room int
}

const (
	stackPiece = 1 << 14 // numbers
	firstPiece = 1 << 8
)

// NewStack returns an empty stack. Close it when it is no longer used.
func NewStack[T Cell](b *Budget) *Stack[T] { return &Stack[T]{budget: b} }

// Push puts a number on top. It returns false when the budget has no room.
func (s *Stack[T]) Push(i T) bool {
	if s.n == s.room && !s.grow() {
		return false
	}
	s.pieces[s.n/stackPiece][s.n%stackPiece] = i
	s.n++
	return true
}

// Append puts numbers on top, the last one last. It returns false when the budget has no room.
func (s *Stack[T]) Append(list []T) bool {
	for len(list) > 0 {
		if s.n == s.room && !s.grow() {
			return false
		}
		n := copy(s.pieces[s.n/stackPiece][s.n%stackPiece:], list)
		s.n, list = s.n+n, list[n:]
	}
	return true
}

// grow makes room. It returns false when the budget has none.
func (s *Stack[T]) grow() bool {
	size := stackPiece
	if s.room < stackPiece {
		size = max(firstPiece, 8*s.room)
	}
	piece := Allocate[T](s.budget, size)
	if piece == nil {
		return false
	}
	if 0 < s.room && s.room < stackPiece {
		copy(piece, s.pieces[0])
		s.Close()
	}
	s.pieces, s.room = append(s.pieces, piece), s.room+size
	return true
}

// Len is how many numbers the stack holds.
func (s *Stack[T]) Len() int { return s.n }

// At points to number i, counted from 0 at the bottom.
func (s *Stack[T]) At(i int) *T { return &s.pieces[i/stackPiece][i%stackPiece] }

// Pop takes the top number off. The stack must not be empty.
func (s *Stack[T]) Pop() T {
	s.n--
	return *s.At(s.n)
}

// Close releases the memory. The stack must not be used afterwards.
func (s *Stack[T]) Close() {
	for _, piece := range s.pieces {
		Release(s.budget, piece)
	}
	s.pieces, s.room = nil, 0
}
