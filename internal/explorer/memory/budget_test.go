package memory

import "testing"

// TestBudgetCounts checks that tables of all sizes count, that one too large is
// refused, and that Close leaves no pages.
func TestBudgetCounts(t *testing.T) {
	b := NewBudget(4 * mappedSize)
	small, large := Allocate[uint16](b, 10), Allocate[uint64](b, mappedSize/8)
	if want := int64(20 + mappedSize); small == nil || large == nil || b.Used() != want || b.Free() != b.Limit()-want || b.Mapped() != 1 {
		t.Fatalf("%d bytes in use, want %d; %d tables outside the heap", b.Used(), want, b.Mapped())
	}
	if Allocate[uint8](b, 3*mappedSize) != nil {
		t.Error("a table larger than the rest of the budget was given")
	}
	Release(b, small)
	peak := b.Peak()
	if s := NewStack[uint32](b); !s.Push(7) || s.Len() != 1 || s.Pop() != 7 {
		t.Error("a stack loses a number")
	}
	b.Close()
	if b.Mapped() != 0 || peak != 20+mappedSize {
		t.Errorf("%d tables are left, the peak was %d", b.Mapped(), peak)
	}
}
