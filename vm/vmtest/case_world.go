//go:build linux

package vmtest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"podium/vm"
)

// worldCases: what a job sees, and that nobody else sees it.
var worldCases = []testCase{
	{"environment", nil, func(b *bench) {
		job := script(`echo "$BK_TOOL|$HOME|$TMPDIR|$BIN_DIR|$BK_BIN_PATH|$PODIUM_SECRET|$PATH"; test -x ${BK_BIN_PATH}actor -a -d $BIN_DIR &&
			echo x > $TMPDIR/x && echo x > $HOME/x && echo x > $BK_RESULT_DIR/x && echo usable`)
		job.Env = []string{"BK_TOOL=a tool", "HOME=/wrong"}
		r := b.do(job)
		b.wantExit(r, 0)
		fields := strings.Split(r.stdout, "|")
		if len(fields) != 7 || fields[0] != "a tool" || fields[1] != vm.Home || fields[3] != vm.ToolDir+"/bin" ||
			fields[4] != vm.ToolDir+"/bin/" || fields[5] != "" || !strings.HasPrefix(fields[6], vm.ToolPath+":/") ||
			!strings.HasSuffix(r.stdout, "\nusable\n") {
			b.Errorf("printed %q, stderr %q", r.stdout, r.stderr)
		}
	}},
	{"current directory is the instance", nil, func(b *bench) {
		r := b.sh("pwd; cat model.pnml private sub/deep")
		b.wantExit(r, 0)
		b.wantOut(r, vm.InstanceDir+"\n<pnml/>\nfor the owner\ndeep\n")
	}},
	{"no instance directory", nil, func(b *bench) {
		spec := b.spec()
		spec.Input = ""
		r := b.doIn(spec, script("ls -A | wc -l; echo x > new && cat new"))
		b.wantExit(r, 0)
		b.wantOut(r, "0\nx\n")
	}},
	{"private view of the instance", nil, func(b *bench) {
		before := tree(b.TB, b.input)
		r := b.sh("echo more >> model.pnml && echo new > new && rm sub/deep && mv private moved && mkdir d && chmod 600 model.pnml && cat model.pnml moved")
		b.wantExit(r, 0)
		b.wantOut(r, "<pnml/>\nmore\nfor the owner\n")
		if after := tree(b.TB, b.input); after != before {
			b.Errorf("the instance directory changed:\n%s\nbefore:\n%s", after, before)
		}
		b.wantOut(b.sh("cat model.pnml private sub/deep; ls"), "<pnml/>\nfor the owner\ndeep\nmodel.pnml\nprivate\nsub\n")
	}},
	{"tool directory is read-only", nil, func(b *bench) {
		before := tree(b.TB, b.tool)
		b.sh("echo x > $BIN_DIR/new; echo x >> $BIN_DIR/../BenchKit_head.sh; rm -f $BIN_DIR/actor; chmod 777 $BIN_DIR; exit 0")
		if after := tree(b.TB, b.tool); after != before {
			b.Errorf("the tool directory changed:\n%s\nbefore:\n%s", after, before)
		}
	}},
	{"writable directories of the tool", nil, func(b *bench) {
		before := tree(b.TB, b.tool)
		spec := b.spec()
		spec.Writable = []string{"tmp", "bin/cache"}
		job := script("cd $BIN_DIR/.. && ls -A tmp bin/cache; echo x > tmp/x && mkdir bin/cache/d && cat tmp/x; (echo x > bin/new) 2> /dev/null || echo read-only")
		for range 2 {
			r := b.doIn(spec, job)
			b.wantExit(r, 0)
			b.wantOut(r, "bin/cache:\n\ntmp:\nx\nread-only\n")
		}
		if after := tree(b.TB, b.tool); after != before {
			b.Errorf("the tool directory changed:\n%s\nbefore:\n%s", after, before)
		}
	}},
	{"nothing passes from run to run", nil, func(b *bench) {
		places := "/tmp /var/tmp /dev/shm $HOME $TMPDIR $BK_RESULT_DIR ."
		b.wantOut(b.sh("for d in "+places+"; do echo x > $d/trace-of-a-run; done 2>/dev/null; cat /tmp/trace-of-a-run"), "x\n")
		r := b.sh("for d in " + places + "; do ls $d | grep trace-of-a-run; done; echo end")
		b.wantOut(r, "end\n")
	}},
	{"the kernel remembers nothing", nil, func(b *bench) {
		b.wantExit(b.do(actor("keep", "vmtest-word")), 0)
		b.wantOut(b.do(actor("recall", "vmtest-word")), "nothing\n")
	}},
	{"host's files are out of reach", nil, func(b *bench) {
		secret := filepath.Join(b.TempDir(), "secret")
		write(b.TB, secret, "secret", 0o644)
		r := b.sh("cat " + secret + "; for f in /usr/x /etc/x /etc/passwd /bin/sh /opt/x /proc/sys/kernel/hostname; do (echo x >> $f) && echo wrote $f; done; exit 0")
		b.wantExit(r, 0)
		b.wantOut(r, "")
	}},
	{"two runs share no files", nil, func(b *bench) {
		s := func(me, other string) string {
			return "for d in /tmp /dev/shm . $HOME; do echo x > $d/" + me + "; done; sleep 1; ls /tmp /dev/shm . $HOME | grep " + other + "; echo end"
		}
		b.wantPair(s("one-of-two", "two-of-two"), s("two-of-two", "one-of-two"), "end\n")
	}},
	{"two runs share no processes", nil, func(b *bench) {
		s := "n=31.4159; see() { cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -o 'sleep 31[.]4159'; }; sleep $n & until see > /dev/null; do :; done; sleep 1; see | wc -l"
		b.wantPair(s, s, "1\n")
	}},
	{"host's processes are out of reach", nil, func(b *bench) {
		r := b.sh(fmt.Sprintf("kill -9 -1 & wait; kill -9 %d", os.Getpid()))
		if r.Termination != vm.Signalled && r.Termination != vm.Exited {
			b.Errorf("%+v", r.Outcome)
		}
	}},
	{"first process is out of reach", nil, func(b *bench) {
		r := b.sh("kill -KILL 1; kill -TERM 1; kill -STOP 1; sleep 0.2; echo alive; exit 5")
		// Where tool and first process are one user, TERM ends the run, which
		// is the tool's own doing.
		if r.Termination == vm.Exited {
			b.wantOut(r, "alive\n")
		} else {
			b.want(r, vm.Signalled)
		}
	}},
	{"no network", nil, func(b *bench) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		defer l.Close()
		abstract, err := net.Listen("unix", fmt.Sprintf("@vmtest-%d", os.Getpid()))
		if err != nil {
			b.Fatal(err)
		}
		defer abstract.Close()
		b.wantOut(b.do(actor("dial", "tcp", l.Addr().String())), "nobody\n")
		b.wantOut(b.do(actor("dial", "unix", abstract.Addr().String())), "nobody\n")
		r := b.sh("tail -n +3 /proc/net/dev | grep -v '^ *lo:' | wc -l; tail -n +2 /proc/net/route | wc -l")
		b.wantOut(r, "0\n0\n")
	}},
	{"no privileges", nil, func(b *bench) {
		r := b.sh("id -un; test $(id -u) != 0 && echo user; grep -E '^(Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs)' /proc/self/status | tr -d '\\t'; ulimit -c")
		b.wantOut(r, "mcc\nuser\nCapPrm:0000000000000000\nCapEff:0000000000000000\nCapBnd:0000000000000000\nCapAmb:0000000000000000\nNoNewPrivs:1\n0\n")
	}},
	{"usual devices", nil, func(b *bench) {
		r := b.sh("echo x > /dev/null && head -c 3 /dev/zero | wc -c && head -c 5 /dev/urandom | wc -c && (echo x > /dev/full) 2>/dev/null || echo full; echo sub | cat /dev/stdin")
		b.wantOut(r, "3\n5\nfull\nsub\n")
	}},
	{"pseudo terminals of its own", nil, func(b *bench) {
		b.wantOut(b.do(actor("terminal")), "/dev/pts/0: typed\r\n\n16 and no more\n")
	}},
	{"memory limit where runtimes look", []Need{ExactMemory}, func(b *bench) {
		// They read there what belongs to the group that these files name.
		const limit = "cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null; grep -E '(:memory|^0:):' /proc/self/cgroup | cut -d: -f3 | sort -u; grep -c ' / /sys/fs/cgroup.* - cgroup' /proc/self/mountinfo"
		r := b.do(vm.Job{Command: []string{"/bin/sh", "-c", limit}, Limits: vm.Limits{Memory: 333 << 20}})
		b.wantOut(r, fmt.Sprintf("%d\n/\n1\n", 333<<20))
	}},
	{"ordinary signals and terminal", nil, func(b *bench) {
		// A tool that is process 1 would not be killed by these signals, and
		// one with our terminal could read what is typed.
		r := b.sh("test $$ != 1 && echo child; sh -c 'kill -TERM $$'; echo $?; (: < /dev/tty) 2>/dev/null || echo no terminal; grep SigBlk /proc/self/status | tr -d '\\t'")
		b.wantOut(r, "child\n143\nno terminal\nSigBlk:0000000000000000\n")
	}},
	{"pinned to a core and a node of memory", []Need{Pinning}, func(b *bench) {
		c, err := b.driver.Probe(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		core := slices.Max(c.Cores)
		spec := b.spec()
		spec.CPUs, spec.Nodes = []int{core}, []int{0}
		if slices.Contains(b.options.Lacks, SharedKernel) {
			core = 0 // the first of its own
		}
		r := b.doIn(spec, script("grep -E '^(Cpu|Mem)s_allowed_list' /proc/self/status | tr -dc '0-9,\n-'; nproc"))
		b.wantOut(r, strconv.Itoa(core)+"\n0\n1\n")
	}},
	{"pinned to two cores", []Need{Pinning}, func(b *bench) {
		c, err := b.driver.Probe(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if len(c.Cores) < 2 {
			b.Skip("the host has one core")
		}
		spec := b.spec()
		spec.Cores, spec.CPUs = 2, c.Cores[:2]
		b.wantOut(b.doIn(spec, script("nproc")), "2\n")
	}},
}

// wantPair runs two scripts at the same time, and both must print the same.
func (b *bench) wantPair(one, two, stdout string) {
	b.Helper()
	var pair sync.WaitGroup
	for _, s := range []string{one, two} {
		m := b.boot(b.spec())
		pair.Go(func() {
			r, err := b.try(b.Context(), m, limited(script(s), vm.Limits{WallTime: time.Minute}))
			if err != nil || r.stdout != stdout {
				b.Errorf("printed %q, not %q; %v, stderr %q", r.stdout, stdout, err, r.stderr)
			}
		})
	}
	pair.Wait()
}
