package slurmtest

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestThreeNodes wants a cluster to run a job on each of its nodes, each a computer
// of its own, to go on after its controller was killed, and to leave no process.
func TestThreeNodes(t *testing.T) {
	var c *Cluster
	t.Run("cluster", func(t *testing.T) {
		c = Start(t, 3)
		seen := func() []string {
			out, err := c.Run("srun", "-N3", "sh", "-c", "echo $(hostname) $(cat /proc/sys/kernel/random/boot_id)")
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(out), "\n")
			slices.Sort(lines)
			return lines
		}
		before := seen()
		boots := map[string]bool{}
		for i, line := range before {
			name, boot, _ := strings.Cut(line, " ")
			if i >= len(c.Nodes) || name != c.Nodes[i] {
				t.Errorf("line %d is %q", i, line)
			}
			boots[boot] = true
		}
		if len(boots) != 3 {
			t.Errorf("the nodes are %d computers", len(boots))
		}
		c.KillController(false)
		c.StartController()
		c.KillNode(1)
		c.StartNode(1)
		// A controller that is killed right after a job has ended believes that it runs.
		if _, err := c.Run("scancel", "-u", "root"); err != nil {
			t.Fatal(err)
		}
		c.Await("idle", nil)
		if after := seen(); !slices.Equal(before, after) {
			t.Errorf("%q, and after the controller was killed %q", before, after)
		}
	})
	if c == nil {
		t.Skip("there is no cluster")
	}
	if left := c.Processes(); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
	if _, err := os.Stat(c.Dir); err == nil && !t.Failed() {
		t.Errorf("%s is left", c.Dir)
	}
}
