package unfold

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/pnml"
)

// stateSpace explores a net whose places hold at most 255 tokens and gives the
// four numbers of the examination StateSpace, or "" beyond a number of states.
func stateSpace(n *pnml.Net, most int) string {
	first := make([]byte, n.Places.Len())
	for p, m := range n.Initial {
		first[p] = byte(m)
	}
	seen := map[string]bool{string(first): true}
	queue := []string{string(first)}
	edges, maxPlace, maxSum := 0, 0, 0
	weight := func(weights []uint64, k int) byte {
		if weights == nil {
			return 1
		}
		return byte(weights[k])
	}
	for len(queue) > 0 {
		m := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		sum := 0
		for _, tokens := range []byte(m) {
			maxPlace = max(maxPlace, int(tokens))
			sum += int(tokens)
		}
		maxSum = max(maxSum, sum)
	transitions:
		for t := range n.Transitions.Len() {
			pre, preWeights := n.Pre.Row(t)
			for k, p := range pre {
				if m[p] < weight(preWeights, k) {
					continue transitions
				}
			}
			edges++
			next := []byte(m)
			for k, p := range pre {
				next[p] -= weight(preWeights, k)
			}
			post, postWeights := n.Post.Row(t)
			for k, p := range post {
				next[p] += weight(postWeights, k)
			}
			if !seen[string(next)] {
				seen[string(next)] = true
				queue = append(queue, string(next))
			}
		}
		if len(seen) > most {
			return ""
		}
	}
	return fmt.Sprintf("STATES %d TRANSITIONS %d MAX_TOKEN_IN_PLACE %d MAX_TOKEN_PER_MARKING %d", len(seen), edges, maxPlace, maxSum)
}

// stateSpaceOracles gives the agreed answers by instance, in the form of
// stateSpace.
func stateSpaceOracles(t *testing.T) map[string]string {
	f, err := os.Open(realData("oracle.tgz"))
	if err != nil {
		t.Skip("no real data: set PODIUM_DATA")
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	oracles := map[string]string{}
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if err == io.EOF {
			return oracles
		} else if err != nil {
			t.Fatal(err)
		}
		instance, ok := strings.CutSuffix(filepath.Base(h.Name), "-SS.out")
		if !ok {
			continue
		}
		text, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 2 && f[0] == "STATE_SPACE" {
				words = append(words, f[1], f[2])
			}
		}
		oracles[instance] = strings.Join(words, " ")
	}
}

// TestStateSpaces explores the unfoldings of the real nets and compares with the
// agreed answers.
func TestStateSpaces(t *testing.T) {
	oracles := stateSpaceOracles(t)
	compared := 0
	realModels(t, "instances", func(name string, s *pnml.Symmetric) {
		var states int
		if _, err := fmt.Sscanf(oracles[name], "STATES %d", &states); err != nil || states > 60_000 {
			return // unknown, infinite or too large for this explorer
		}
		u, err := Unfold(s, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if got := stateSpace(u.Net, states); got != oracles[name] {
			t.Errorf("%s: got  %s\nwant %s", name, got, oracles[name])
		}
	})
	if compared < 10 {
		t.Errorf("only %d nets were compared", compared)
	}
}
