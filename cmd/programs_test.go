package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// programFamily is a program in C with a parameter, and what is known of it.
type programFamily struct {
	name     string
	category string // set that lists it
	property string
	right    bool   // the property holds
	part     string // of the property, that is violated
	text     string // N stands for the parameter
	sizes    []int
}

const unreach, overflow, termination, memsafety = "unreach-call", "no-overflow", "termination", "valid-memsafety"

// programFamilies are loops, arrays, overflows, memory and termination; right ones and wrong ones
// side by side. Each verdict is known by construction.
var programFamilies = []programFamily{
	{"sum", "ReachSafety", unreach, true, "", `int main(void) { int s = 0; for (int i = 1; i <= N; i++) s += i; if (s != N * (N + 1) / 2) reach_error(); return 0; }`, []int{10, 0, 1, 100, 1000, 30000}},
	{"sum-wrong", "ReachSafety", unreach, false, "", `int main(void) { int s = 0; for (int i = 1; i < N; i++) s += i; if (s != N * (N + 1) / 2) reach_error(); return 0; }`, []int{10, 1, 100, 1000, 30000}},
	{"secret", "ReachSafety", unreach, false, "", `int main(void) { int x = __VERIFIER_nondet_int(); if (x * 2 == N * 2 && x > 0) reach_error(); return 0; }`, []int{5, 3, 100, 77, 4711}},
	{"parity", "ReachSafety", unreach, true, "", `int main(void) { unsigned x = (unsigned)__VERIFIER_nondet_int() * 2u + N * 2u; if (x % 2u) reach_error(); return 0; }`, []int{1, 7, 12}},
	{"maximum", "ReachSafety", unreach, true, "", `int main(void) { int a[N], m; for (int i = 0; i < N; i++) a[i] = (i * 7) % N; m = a[0]; for (int i = 1; i < N; i++) if (a[i] > m) m = a[i];
  for (int i = 0; i < N; i++) if (a[i] > m) reach_error(); return 0; }`, []int{20, 3, 500}},
	{"sorted-wrong", "ReachSafety", unreach, false, "", `int main(void) { int a[N]; for (int i = 0; i < N; i++) a[i] = N - i; for (int i = 0; i + 2 < N; i++) if (a[i] > a[i + 1]) { int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; }
  for (int i = 0; i + 1 < N; i++) if (a[i] > a[i + 1]) reach_error(); return 0; }`, []int{8, 3, 50}},
	{"square", "NoOverflows", overflow, true, "", `int main(void) { int x = N, y = x * x; return y < 0; }`, []int{1000, 2, 46340}},
	{"square-wrong", "NoOverflows", overflow, false, "", `int main(void) { int x = N, y = x * x; return y < 0; }`, []int{46341, 100000, 2000000000}},
	{"increment-wrong", "NoOverflows", overflow, false, "", `int main(void) { int x = __VERIFIER_nondet_int(); if (x < N) return 0; int y = x + 1; return y > 0; }`, []int{100, 0, 2147483647}},
	{"guarded", "NoOverflows", overflow, true, "", `int main(void) { int x = __VERIFIER_nondet_int(); if (x > N) return 0; int y = x + 1; return y > 0; }`, []int{100, 0, 2147483646}},
	{"list", "MemSafety", memsafety, true, "", `struct n { struct n *next; };
int main(void) { struct n *h = 0; for (int i = 0; i < N; i++) { struct n *e = malloc(sizeof *e); if (!e) abort(); e->next = h; h = e; }
  while (h) { struct n *e = h; h = h->next; free(e); } return 0; }`, []int{3, 1, 100}},
	{"freed-wrong", "MemSafety", memsafety, false, "valid-deref", `int main(void) { int *p = malloc(N * sizeof *p); if (!p) abort(); p[0] = 1; free(p); return p[0]; }`, []int{4, 1, 1000}},
	{"twice-wrong", "MemSafety", memsafety, false, "valid-free", `int main(void) { char *p = malloc(N); if (!p) abort(); p[0] = 1; free(p); free(p); return 0; }`, []int{16, 1, 4096}},
	{"lost-wrong", "MemSafety", memsafety, false, "valid-memtrack", `static int lose(void) { char *p = malloc(N); if (!p) abort(); p[0] = 1; p = 0; return p != 0; }
int main(void) { return lose(); }`, []int{16, 1, 4096}},
	{"outside-wrong", "MemSafety", memsafety, false, "valid-deref", `int main(void) { int *a = malloc(N * sizeof *a), s = 0; if (!a) abort(); for (int i = 0; i <= N; i++) { a[i] = i; s += a[i]; } free(a); return s < 0; }`, []int{8, 2, 64}},
	{"array", "MemSafety", memsafety, true, "", `int main(void) { int a[N]; for (int i = 0; i < N; i++) a[i] = i; return a[N - 1] != N - 1; }`, []int{8, 1, 64}},
	{"countdown", "Termination", termination, true, "", `int main(void) { for (int i = N; i > 0; i--) { } return 0; }`, []int{10, 0, 1000000}},
	{"collatz", "Termination", termination, true, "", `int main(void) { unsigned long n = N; while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2; return 0; }`, []int{27, 1, 97}},
	{"forever-wrong", "Termination", termination, false, "", `int main(void) { volatile unsigned i = N; while (i != N + 1u) i += 2; return 0; }`, []int{0, 1, 8}},
}

// properties are the property files of the programs.
var properties = map[string]string{
	unreach:     "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
	overflow:    "CHECK( init(main()), LTL(G ! overflow) )\n",
	termination: "CHECK( init(main()), LTL(F end) )\n",
	memsafety:   "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n",
}

// program is one task.
type program struct {
	programFamily
	file string // of the definition, relative to the directory of the tasks
}

// writePrograms writes the programs of each family as tasks of SV-COMP, only the first
// size or all of them.
func writePrograms(t *testing.T, dir string, all bool) (list []program) {
	t.Helper()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, text)
	}
	for name, text := range properties {
		write("properties/"+name+".prp", text)
	}
	sets := map[string]string{}
	for _, f := range programFamilies {
		for _, n := range f.sizes {
			base := fmt.Sprintf("%s/%s-%d", strings.ToLower(f.category), f.name, n)
			write(base+".c", "#include <stdlib.h>\nextern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n#define N "+fmt.Sprint(n)+"\n"+f.text+"\n")
			definition := "format_version: '2.0'\ninput_files: " + filepath.Base(base) + ".c\nproperties:\n  - property_file: ../properties/" + f.property + ".prp\n    expected_verdict: " + fmt.Sprint(f.right) + "\n"
			if f.part != "" {
				definition += "    subproperty: " + f.part + "\n"
			}
			write(base+".yml", definition+"options: {language: C, data_model: LP64}\n")
			list = append(list, program{f, base + ".yml"})
			sets[f.category] += base + ".yml\n"
			if !all {
				break
			}
		}
	}
	for name, text := range sets {
		write(name+".set", text)
	}
	return list
}

// task is the name of the program in a contest.
func (p program) task() string { return p.file + "#" + p.property }

// points are what an answer earns by the rules of 2019 and today, where each witness
// counts as confirmed.
func (p program) points(says bool) int {
	switch {
	case says && p.right:
		return 2
	case says:
		return -32
	case p.right:
		return -16
	}
	return 1
}

// contestants are the names of the tools of verifierFiles.
var contestants = []string{"analyser", "clang", "cppcheck", "falsifier", "optimist", "bluffer"}

// verifierFiles are the contestants: what Debian's compilers and its checker have, as
// verifiers.
var verifierFiles = map[string]string{
	// The static analyser of the compiler: not sound, so its TRUE may be wrong.
	"analyser/tool.yaml": `format: podium-tool/1
name: analyser
title: the static analyser of the compiler
version: "12"
command: /usr/bin/gcc -fanalyzer -c -o /dev/null {input}
properties: [valid-memsafety]
answers:
  - {stderr: 'Wanalyzer-double-free', answer: FALSE(valid-free)}
  - {stderr: 'Wanalyzer-use-after-free', answer: FALSE(valid-deref)}
  - {stderr: 'Wanalyzer-malloc-leak', answer: FALSE(valid-memtrack)}
  - {exit: 0, answer: TRUE}
`,
	// Another static analyser: it follows a loop a few times, and says TRUE where it found
	// nothing.
	"clang/tool.yaml": `format: podium-tool/1
name: clang
title: the static analyser of another compiler
version: "14"
command: /usr/bin/clang --analyze -Xclang -analyzer-output=text -Xclang -analyzer-checker=alpha.security.ArrayBoundV2 -o /dev/null {input}
properties: [valid-memsafety]
answers:
  - {stderr: 'Attempt to free released memory', answer: FALSE(valid-free)}
  - {stderr: '(Use of memory after it is freed|Out of bound memory access)', answer: FALSE(valid-deref)}
  - {stderr: 'Potential leak of memory', answer: FALSE(valid-memtrack)}
  - {exit: 0, answer: TRUE}
`,
	// A checker that only looks for violations. What it says is its witness.
	"cppcheck/tool.yaml": `format: podium-tool/1
name: cppcheck
title: a checker of common mistakes
version: "2.10"
command: bin/check.sh {witness} {input}
witness: findings.txt
properties: [valid-memsafety, no-overflow]
answers:
  - {stdout: '\[doubleFree\]', properties: [valid-memsafety], answer: FALSE(valid-free)}
  - {stdout: '\[memleak\]', properties: [valid-memsafety], answer: FALSE(valid-memtrack)}
  - {stdout: '\[integerOverflow(Cond)?\]', properties: [no-overflow], answer: FALSE}
`,
	"cppcheck/bin/check.sh": `#!/bin/sh
# check.sh WITNESS INPUT
/usr/bin/cppcheck --quiet --enable=warning "$2" 2> "$1" || exit
cat "$1"
[ -s "$1" ] || rm "$1"
`,
	// Sanitizers with a search of inputs: what they find is there. A program that reads
	// nothing has one run, which proves what it does not violate.
	"falsifier/tool.yaml": `format: podium-tool/1
name: falsifier
title: sanitizers of the compiler, and a small search of inputs
version: "12"
command: bin/search.sh {tool} {property_name} {witness} {input}
witness: inputs.txt
answers:
  - {stderr: '^reached$', properties: [unreach-call], answer: FALSE}
  - {stderr: 'runtime error: signed integer overflow', properties: [no-overflow], answer: FALSE}
  - {stderr: 'AddressSanitizer: attempting double-free', properties: [valid-memsafety], answer: FALSE(valid-free)}
  - {stderr: 'AddressSanitizer: (?:heap|stack)-', properties: [valid-memsafety], answer: FALSE(valid-deref)}
  - {stdout: '^proved$', properties: [unreach-call, no-overflow, termination], answer: TRUE}
`,
	"falsifier/bin/search.sh": `#!/bin/sh
# search.sh TOOL PROPERTY WITNESS INPUT
export ASAN_OPTIONS=detect_leaks=0:exitcode=99 UBSAN_OPTIONS=exitcode=99
/usr/bin/gcc -O0 -w -fsanitize=address,undefined -fno-sanitize-recover=all -o "$TMPDIR/run" "$4" "$1/harness.c" || exit 9
for n in 0 1 2 3 4 5 10 77 100 -1 2147483647; do
    (ulimit -t 1; INPUT=$n exec "$TMPDIR/run")
    case $? in
    42 | 99) echo "$n" > "$3"; exit 1 ;;
    137 | 152) exit 2 ;; # it may run for ever
    esac
    grep -q 'nondet_int()' "$4" || { echo 'one run' > "$3"; echo proved; exit 0; }
done
`,
	"falsifier/harness.c": `#include <stdio.h>
#include <stdlib.h>
void reach_error(void) { fputs("reached\n", stderr); _Exit(42); }
int __VERIFIER_nondet_int(void) { const char *n = getenv("INPUT"); return n ? (int)strtol(n, 0, 10) : 0; }
`,
	// One that says the same of every program has to rank below zero.
	"optimist/tool.yaml": `format: podium-tool/1
name: optimist
title: says TRUE of every program
version: "1"
command: /bin/sh -c 'echo TRUE' {input}
`,
	// One whose witnesses show nothing.
	"bluffer/tool.yaml": `format: podium-tool/1
name: bluffer
title: says FALSE of every program, with a number for a witness
version: "1"
command: /bin/sh -c 'echo 12345 > "$0"; echo FALSE' {witness} {input}
properties: [unreach-call]
`,
}

// validatorFiles are the validators of what the verifiers leave.
var validatorFiles = map[string]string{
	// Runs the program with the input of the witness; of a program that reads nothing, the
	// only run shows that it holds, too.
	"rerun/tool.yaml": `format: podium-tool/1
name: rerun
version: "12"
command: bin/rerun.sh {tool} {witness} {input}
validates:
  violation: [unreach-call, no-overflow, valid-memsafety]
  correctness: [unreach-call, no-overflow, termination]
answers:
  - {stderr: '^reached$', properties: [unreach-call], answer: FALSE}
  - {stderr: 'runtime error: signed integer overflow', properties: [no-overflow], answer: FALSE}
  - {stderr: 'AddressSanitizer: attempting double-free', properties: [valid-memsafety], answer: FALSE(valid-free)}
  - {stderr: 'AddressSanitizer: (?:heap|stack)-', properties: [valid-memsafety], answer: FALSE(valid-deref)}
  - {stdout: '^the only run$', properties: [unreach-call, no-overflow, termination], answer: TRUE}
`,
	"rerun/bin/rerun.sh": `#!/bin/sh
# rerun.sh TOOL WITNESS INPUT
export ASAN_OPTIONS=detect_leaks=0
/usr/bin/gcc -O0 -w -fsanitize=address,undefined -fno-sanitize-recover=all -o "$TMPDIR/run" "$3" "$1/harness.c" || exit 9
(ulimit -t 5; INPUT=$(cat "$2") exec "$TMPDIR/run") && ! grep -q 'nondet_int()' "$3" && echo 'the only run'
`,
	"rerun/harness.c": verifierFiles["falsifier/harness.c"],
	// Another method: what the analyser finds, too.
	"analysis/tool.yaml": strings.NewReplacer("name: analyser", "name: analysis", "{input}\n", "{input} -DWITNESS={witness}\nvalidates: {violation: [valid-memsafety]}\n", "  - {exit: 0, answer: TRUE}\n", "").Replace(verifierFiles["analyser/tool.yaml"]),
}

// writeTools writes tools, by the names of their files.
func writeTools(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if strings.HasSuffix(name, ".sh") {
			mode = 0o755
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
}
