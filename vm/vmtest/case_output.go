//go:build linux

package vmtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"podium/vm"
)

// outputCases: what a job prints and leaves arrives, unchanged and complete.
var outputCases = []testCase{
	{"output and error are separate", nil, func(b *bench) {
		r := b.sh("echo out; echo err >&2; echo more; echo last > /dev/stderr")
		b.wantExit(r, 0)
		b.wantOut(r, "out\nmore\n")
		if r.stderr != "err\nlast\n" || r.OutputBytes != 18 {
			b.Errorf("stderr %q, %d bytes", r.stderr, r.OutputBytes)
		}
	}},
	{"output without writers", nil, func(b *bench) {
		m := b.boot(b.spec())
		out, err := m.Exec(b.Context(), script("echo out; echo err >&2"))
		if err != nil || out.OutputBytes != 8 {
			b.Errorf("%+v %v", out, err)
		}
	}},
	{"output arrives as it is printed", nil, func(b *bench) {
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		job := limited(script("echo early; sleep 600"), vm.Limits{WallTime: time.Minute})
		job.Stdout = writerFunc(func(p []byte) (int, error) {
			cancel() // what has not come before the end cannot end it
			return len(p), nil
		})
		if r, err := b.try(ctx, b.boot(b.spec()), job); !errors.Is(err, context.Canceled) {
			b.Errorf("%+v, %v", r.Outcome, err)
		}
	}},
	{"binary noise", nil, func(b *bench) {
		const size = 3_000_001
		r := b.do(actor("noise", fmt.Sprint(size), "5"))
		b.wantExit(r, 0)
		var want bytes.Buffer
		if err := noise(&want, size, 5); err != nil {
			b.Fatal(err)
		}
		if sha256.Sum256(want.Bytes()) != sha256.Sum256([]byte(r.stdout)) {
			b.Errorf("%d bytes came, not the %d that were printed", len(r.stdout), size)
		}
	}},
	{"megabytes", nil, func(b *bench) {
		size := int64(64 << 20)
		if slices.Contains(b.options.Lacks, SharedKernel) {
			size = 8 << 20 // over a line that is emulated
		}
		var bytes int64
		job := script(fmt.Sprint("head -c ", size, " /dev/zero"))
		job.Stdout = writerFunc(func(p []byte) (int, error) {
			bytes += int64(len(p))
			return len(p), nil
		})
		r := b.do(job)
		b.wantExit(r, 0)
		if bytes != size || r.OutputBytes != bytes {
			b.Errorf("%d bytes came, %d are reported", bytes, r.OutputBytes)
		}
	}},
	{"writer that fails", nil, func(b *bench) {
		full := errors.New("no space left on our side")
		job := script("echo answer; sleep 600")
		job.Stdout = writerFunc(func([]byte) (int, error) { return 0, full })
		m := b.boot(b.spec())
		started := time.Now()
		if _, err := b.try(b.Context(), m, job); !errors.Is(err, full) {
			b.Errorf("err = %v", err)
		}
		if d := time.Since(started); d > b.options.Grace+30*time.Second {
			b.Errorf("it took %v to give up", d)
		}
	}},
	{"standard input is empty", nil, func(b *bench) {
		r := b.sh("cat; echo end")
		b.wantExit(r, 0)
		b.wantOut(r, "end\n")
	}},
	{"long environment and arguments", nil, func(b *bench) {
		long := strings.Repeat("x", 60_000)
		job := script("echo ${#LONG} ${#0}")
		job.Env = []string{"LONG=" + long, "EMPTY="}
		r := b.do(job)
		b.wantExit(r, 0)
		if !strings.HasPrefix(r.stdout, "60000 ") {
			b.Errorf("printed %q", r.stdout)
		}
	}},
	{"results are copied", nil, func(b *bench) {
		dir := b.TempDir()
		job := script("cd $BK_RESULT_DIR && mkdir -p a/b && echo one > one && echo two > a/b/two && " +
			"ln -s /etc/passwd link && ln -s / dir && mkfifo pipe && echo ok")
		job.SideOut = dir
		b.wantOut(b.do(job), "ok\n")
		b.wantFile(filepath.Join(dir, "one"), "one\n")
		b.wantFile(filepath.Join(dir, "a/b/two"), "two\n")
		for _, name := range []string{"link", "dir", "pipe"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				b.Errorf("%s was copied", name)
			}
		}
	}},
	{"results that lead elsewhere", nil, func(b *bench) {
		for _, s := range []string{"ln -s / $BK_RESULT_DIR", "ln -s /usr $BK_RESULT_DIR", "ln -s ../../etc $BK_RESULT_DIR", ":",
			"mkdir -p $BK_RESULT_DIR/shut; echo x > $BK_RESULT_DIR/shut/x; chmod 0 $BK_RESULT_DIR/shut/x $BK_RESULT_DIR/shut"} {
			dir := b.TempDir()
			job := script("cd / && rm -rf $BK_RESULT_DIR && " + s)
			job.SideOut = dir
			b.wantExit(b.do(job), 0)
			if entries, err := os.ReadDir(dir); err != nil || len(entries) > 1 || len(entries) == 1 && entries[0].Name() != "shut" {
				b.Errorf("after %q there is %v, %v", s, entries, err)
			}
		}
	}},
	{"results are bounded", nil, func(b *bench) {
		job := script("cd $BK_RESULT_DIR && for i in 1 2 3 4; do echo $i > $i.proof; done; echo no > other; truncate -s 1G 0.proof && echo ok")
		job.SideOut, job.SideLimit = b.TempDir(), vm.SideLimit{Suffix: ".proof", Files: 3, Bytes: 1000}
		r := b.do(job)
		b.wantOut(r, "ok\n")
		entries, err := os.ReadDir(job.SideOut)
		if err != nil || len(entries) != 3 || entries[0].Name() != "1.proof" {
			b.Errorf("there is %v, %v", entries, err)
		}
		if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "2 too many") }) {
			b.Errorf("warnings: %q", r.Warnings)
		}
	}},
	{"results are copied after a limit", nil, func(b *bench) {
		job := limited(script("echo partial > $BK_RESULT_DIR/proof; sleep 60"), vm.Limits{WallTime: time.Second})
		job.SideOut = b.TempDir()
		b.want(b.do(job), vm.OutOfTime)
		b.wantFile(filepath.Join(job.SideOut, "proof"), "partial\n")
	}},
}

func (b *bench) wantFile(path, content string) {
	b.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != content {
		b.Errorf("%s holds %q, %v", path, got, err)
	}
}
