package memory

// Stack is a stack of numbers. It grows in pieces, whose bytes count in a budget.
type Stack[T Cell] struct {
	budget *Budget
	pieces [][]T
	n      int
}

const stackPiece = 1 << 14 // numbers

// NewStack returns an empty stack. Close it when it is no longer used.
func NewStack[T Cell](b *Budget) *Stack[T] { return &Stack[T]{budget: b} }

// Push puts a number on top. It returns false when the budget has no room.
func (s *Stack[T]) Push(i T) bool {
	if s.n == len(s.pieces)*stackPiece {
		piece := Allocate[T](s.budget, stackPiece)
		if piece == nil {
			return false
		}
		s.pieces = append(s.pieces, piece)
	}
	s.pieces[s.n/stackPiece][s.n%stackPiece] = i
	s.n++
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
	s.pieces = nil
}
