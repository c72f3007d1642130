package explorer

// stack is a stack of numbers in pieces that count in the budget.
type stack[T cell] struct {
	budget *budget
	pieces [][]T
	n      int
}

const stackPiece = 1 << 14

func newStack[T cell](b *budget) *stack[T] { return &stack[T]{budget: b} }

func (s *stack[T]) push(i T) bool {
	if s.n == len(s.pieces)*stackPiece {
		piece := allocate[T](s.budget, stackPiece)
		if piece == nil {
			return false
		}
		s.pieces = append(s.pieces, piece)
	}
	s.pieces[s.n/stackPiece][s.n%stackPiece] = i
	s.n++
	return true
}

// at gives element i, counted from the bottom.
func (s *stack[T]) at(i int) *T { return &s.pieces[i/stackPiece][i%stackPiece] }

func (s *stack[T]) pop() T {
	s.n--
	return *s.at(s.n)
}

func (s *stack[T]) close() {
	for _, piece := range s.pieces {
		release(s.budget, piece)
	}
	s.pieces = nil
}
