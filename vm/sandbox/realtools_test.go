//go:build linux

package sandbox_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/sandbox"
)

// realTool is a program as contestants bring them.
type realTool struct {
	name   string
	needs  string // a program of the host
	script string
	prints string
}

// realTools: what is refused must not be what they need. Each uses threads,
// processes and files as its runtime does.
var realTools = []realTool{
	{"shells and pipelines", "bash", `set -o pipefail; seq 1 1000 | sort -rn | head -n 1 | tee /tmp/one | cat; cat <(echo sub); wait`, "1000\nsub\n"},
	{"find, tar and gzip", "tar", `mkdir -p d/e && echo deep > d/e/f && tar czf a.tgz d && rm -r d && tar xzf a.tgz && find d -type f | xargs cat`, "deep\n"},
	{"Python with processes", "python3", `python3 - <<'END'
import subprocess, threading, tempfile, mmap, fcntl, os
from multiprocessing import Pool
def square(n): return n * n
if __name__ == "__main__":
    with Pool(2) as pool: print(sum(pool.map(square, range(10))))
    print(subprocess.run(["echo", "child"], capture_output=True, text=True).stdout.strip())
    t = threading.Thread(target=lambda: print("thread")); t.start(); t.join()
    with tempfile.NamedTemporaryFile() as f:
        fcntl.lockf(f, fcntl.LOCK_EX); fcntl.flock(f, fcntl.LOCK_UN); print("locked")
    m = mmap.mmap(-1, 1 << 20); m[0] = 1; print(len(m))
END`, "285\nchild\nthread\nlocked\n1048576\n"},
	{"Java with every collector", "javac", `javac -d /tmp Tool.java || exit 3
for gc in Serial Parallel G1; do java -Xlog:disable -Xmx64m -XX:+Use${gc}GC -XX:+UseLargePages -XX:+UseNUMA -cp /tmp Tool 2> /tmp/err || { cat /tmp/err >&2; exit 4; }; done`,
		"threads 45\nchild\nlocked true\nselected 0\nthreads 45\nchild\nlocked true\nselected 0\nthreads 45\nchild\nlocked true\nselected 0\n"},
	{"Mono", "mcs", `mcs -out:/tmp/tool.exe Tool.cs && mono /tmp/tool.exe`, "threads 45\n"},
	{"a static program of C with threads", "gcc", `gcc -static -O1 -pthread -o /tmp/tool tool.c && /tmp/tool`, "threads 45\n"},
	{"a static program of 32 bits", "gcc", `gcc -m32 -static -nostdlib -ffreestanding -o /tmp/tool tool32.c && /tmp/tool`, "of 32 bits\n"},
}

// sources are what the tools above are made from.
var sources = map[string]string{
	"Tool.java": `import java.io.*; import java.nio.channels.*; import java.util.concurrent.*; import java.util.*;
public class Tool {
  public static void main(String[] args) throws Exception {
    var pool = Executors.newFixedThreadPool(4); var all = new ArrayList<Future<Integer>>();
    for (int i = 0; i < 10; i++) { int n = i; all.add(pool.submit(() -> n)); }
    int sum = 0; for (var f : all) sum += f.get(); pool.shutdown();
    System.out.println("threads " + sum);
    System.out.print(new String(new ProcessBuilder("echo", "child").start().getInputStream().readAllBytes()));
    try (var f = new RandomAccessFile("/tmp/lock", "rw"); var l = f.getChannel().tryLock()) { System.out.println("locked " + (l != null)); }
    System.out.println("selected " + Selector.open().select(5));
    try { java.net.InetAddress.getLocalHost(); } catch (java.net.UnknownHostException e) { }
    System.gc();
  }
}`,
	"Tool.cs": `using System; using System.Threading; using System.Threading.Tasks;
class Tool { static void Main() { int sum = 0; Parallel.For(0, 10, i => Interlocked.Add(ref sum, i)); Console.WriteLine("threads " + sum); } }`,
	"tool.c": `#include <pthread.h>
#include <stdio.h>
static long sum; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *n) { pthread_mutex_lock(&m); sum += (long)n; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t[10]; for (long i = 0; i < 10; i++) if (pthread_create(&t[i], 0, add, (void *)i)) return 1;
  for (int i = 0; i < 10; i++) pthread_join(t[i], 0); printf("threads %ld\n", sum); return 0; }`,
	"tool32.c": `static int call(int nr, int a, const void *b, int c) { int r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(nr), "b"(a), "c"(b), "d"(c) : "memory"); return r; }
void _start(void) { call(4, 1, "of 32 bits\n", 11); call(1, 0, 0, 0); }`,
}

// TestRealTools runs what is installed.
func TestRealTools(t *testing.T) {
	d, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	input := t.TempDir()
	for name, text := range sources {
		if err := os.WriteFile(filepath.Join(input, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range realTools {
		t.Run(tool.name, func(t *testing.T) {
			if _, err := exec.LookPath(tool.needs); err != nil {
				t.Skipf("not here: %s", tool.needs)
			}
			m, err := d.Boot(t.Context(), vm.Spec{Name: "real", Cores: 1, Tool: t.TempDir(), Input: input})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			var stdout, stderr bytes.Buffer
			job := vm.Job{Command: []string{"/bin/bash", "-c", tool.script}, Stdout: &stdout, Stderr: &stderr,
				Limits: vm.Limits{CPUTime: 2 * time.Minute, WallTime: 5 * time.Minute, Memory: 2 << 30, Processes: 500}}
			out, err := m.Exec(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(stderr.String(), "command not found") {
				t.Skipf("not here: %s", strings.TrimSpace(stderr.String()))
			}
			if strings.Contains(stderr.String(), "Exec format error") {
				on := exec.Command("/bin/bash", "-c", strings.ReplaceAll(tool.script, "/tmp/tool", filepath.Join(t.TempDir(), "tool")))
				on.Dir = input
				if said, err := on.CombinedOutput(); err != nil && strings.Contains(string(said), "Exec format error") {
					t.Skip("not here: a kernel that runs programs of 32 bits")
				}
			}
			if out.Termination != vm.Exited || out.ExitCode != 0 || stdout.String() != tool.prints {
				t.Errorf("%s %d, printed %q, not %q; stderr:\n%s", out.Termination, out.ExitCode, &stdout, tool.prints, &stderr)
			}
		})
	}
}
