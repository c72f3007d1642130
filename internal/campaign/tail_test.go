package campaign

import (
	"strings"
	"testing"
)

// TestWritableIsProposed: a line about a file that cannot be written beside the tool proposes
// a directory that can be named under writable:.
func TestWritableIsProposed(t *testing.T) {
	for line, want := range map[string]string{
		"/home/mcc/BenchKit/BenchKit_head.sh: line 3: log: Read-only file system":                             "tmp",
		"/home/mcc/BenchKit/BenchKit_head.sh: line 3: cache/x: Read-only file system":                         "cache",
		"head: line 2: /home/mcc/BenchKit/bin/../store/d/x: Read-only file system":                            "store/d",
		"tee: /home/mcc/BenchKit/bin/../log: Read-only file system":                                           "tmp",
		"touch: cannot touch '/home/mcc/BenchKit/bin/state': Read-only file system":                           "bin/tmp",
		"mkdir: cannot create directory ‘/home/mcc/BenchKit/bin/work’: Read-only file system":                 "bin/work",
		"mktemp: failed to create file via template ‘/home/mcc/BenchKit/bin/t/o.XXXX’: Read-only file system": "bin/t",
		"mktemp: failed to create directory via template ‘./t/o.XXXX’: Read-only file system":                 "t",
		"OSError: [Errno 30] Read-only file system: '/home/mcc/BenchKit/lib/cache/a.pyc'":                     "lib/cache",
		"java.io.FileNotFoundException: /home/mcc/BenchKit/data/x.db (Read-only file system)":                 "data",
		"cp: cannot create regular file '/usr/share/x': Read-only file system":                                "tmp",
		"Read-only file system": "tmp",
	} {
		if got := wanted([]byte(line)); got != want {
			t.Errorf("%s: %s, not %s", line, got, want)
		}
	}
	var all Tail
	for _, dir := range []string{"a", "b/c", "a"} {
		all.Write([]byte("tee: /home/mcc/BenchKit/" + dir + "/x: Read-only file system\n"))
	}
	if len(all.Hints) != 1 || !strings.Contains(all.Hints[0], "(writable: [a, b/c])") {
		t.Errorf("%q", all.Hints)
	}
}
