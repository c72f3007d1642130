package memory

import "testing"

// TestArena checks that taken elements keep their address and values, and that
// blocks are used again after Reset.
func TestArena(t *testing.T) {
	var a Arena[int]
	for range 3 {
		a.Reset()
		var taken [][]int
		for n := 1; n < 3*arenaBlock; n = n*3/2 + 1 {
			room := a.Reserve(n)
			if len(room) != n || cap(room) != n {
				t.Fatalf("room for %d, %d asked for", cap(room), n)
			}
			for k := range room {
				room[k] = n
			}
			a.Take(n - n/3)
			taken = append(taken, room[:n-n/3])
		}
		for _, part := range taken {
			for k, v := range part {
				if v != part[0] {
					t.Fatalf("element %d of %d is %d", k, len(part), v)
				}
			}
		}
	}
	blocks := len(a.blocks)
	a.Reset()
	a.Reserve(arenaBlock)
	if len(a.blocks) != blocks {
		t.Error("memory was not used again")
	}
}
