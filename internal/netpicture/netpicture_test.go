package netpicture

import (
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNetsAreDrawn draws nets of all shapes: every node and arc is there, no two nodes
// stand on one spot, and all stand inside of the picture.
func TestNetsAreDrawn(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for round := range 200 {
		n := &Picture{}
		places, transitions := 1+rng.IntN(20), rng.IntN(20)
		for i := range places {
			n.Nodes = append(n.Nodes, Node{Place: true, Name: fmt.Sprintf("p<%d>", i), Text: []string{"", "", "1", "12345", "*"}[rng.IntN(5)]})
		}
		for i := range transitions {
			n.Nodes = append(n.Nodes, Node{Name: fmt.Sprintf("t&%d", i)})
		}
		for range rng.IntN(60) {
			if transitions == 0 {
				break
			}
			from, to := rng.IntN(places), places+rng.IntN(transitions)
			if rng.IntN(2) == 0 {
				from, to = to, from
			}
			n.Arcs = append(n.Arcs, Arc{from, to, []string{"", "2", "<x>"}[rng.IntN(3)]})
		}
		spots, width, height := n.place()
		seen := map[spot]bool{}
		for _, s := range spots {
			if seen[s] || s.x <= 0 || s.x >= width || s.y <= 0 || s.y >= height {
				t.Fatalf("round %d: a node at %v of %g x %g", round, s, width, height)
			}
			seen[s] = true
		}
		picture := n.SVG("a net")
		if strings.Contains(picture, "NaN") || strings.Count(picture, `class="arc"`) != len(n.Arcs) ||
			strings.Count(picture, `class="place"`) != places || strings.Count(picture, `class="transition"`) != transitions {
			t.Fatalf("round %d: %s", round, picture)
		}
		decoder := xml.NewDecoder(strings.NewReader(picture))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("round %d: %v in %s", round, err, picture)
			}
		}
	}
}
