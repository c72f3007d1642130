package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// awake is the file that is added to the room under test.
const awake = `package %s

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
)

var (
	mutantNumber, _ = strconv.Atoi(os.Getenv("PODIUM_MUTANT"))
	mutantLog       = os.Getenv("PODIUM_MUTANT_LOG")
	mutantSeen      [%d]atomic.Bool
)

func mutantAwake(n int) bool {
	if mutantLog != "" && !mutantSeen[n].Swap(true) {
		f, err := os.OpenFile(mutantLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(f, n)
		f.Close()
	}
	return n == mutantNumber
}
`

// limits end the tests of a mutant: a change that makes them endless is noticed, too.
// Processor time counts, so that a busy machine kills no mutant; the wall limit is
// for tests that wait without end.
type limits struct {
	cpu, wall time.Duration
	memory    int64 // virtual memory in KB
}

// limitsFor allows a mutant some times what the unchanged tests took.
func limitsFor(cpu, wall time.Duration) limits {
	return limits{cpu: 4*cpu + 2*time.Second, wall: 20*wall + 5*time.Second, memory: 8_000_000}
}

// try runs the tests of a room against each of its mutants, or those in one file, and
// gives the number of those that survive and are not known to be equivalent.
func try(dir, file string, known map[string]bool) (int, error) {
	where, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(where)
	r := room{dir: dir, where: where, program: filepath.Join(where, "room.test")}
	if err := r.build(); err != nil {
		return 0, err
	}
	if err := r.measure(); err != nil {
		return 0, err
	}
	mutants := r.mutants
	if file != "" {
		mutants = slices.DeleteFunc(mutants, func(m mutant) bool { return m.at.Filename != file })
	}
	lives := make([]bool, len(mutants))
	next := make(chan int)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				lives[i] = r.survives(mutants[i])
			}
		})
	}
	for i := range mutants {
		next <- i
	}
	close(next)
	group.Wait()

	survived, equivalent := 0, 0
	for i, m := range mutants {
		key := m.key(dir)
		if !lives[i] {
			continue
		}
		if _, listed := known[key]; listed {
			known[key] = true
			equivalent++
		} else {
			survived++
			fmt.Printf("%s/%s:%d: survives: %s\n", dir, m.at.Filename, m.at.Line, key)
		}
	}
	fmt.Printf("%s: %d mutants, %d killed, %d equivalent, %d survive\n", dir, len(mutants), len(mutants)-survived-equivalent, equivalent, survived)
	return survived, nil
}

// run returns the processor time and the output of some tests under a mutant.
func (r *room) run(tests []test, number int, limit limits) (time.Duration, []byte, error) {
	cmd := r.command([]string{"PODIUM_MUTANT=" + strconv.Itoa(number)}, []string{"-test.short", "-test.failfast", "-test.run", only(tests)}, limit)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		return 0, out, err
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), out, err
}

// command is a call of the room's test program in the room.
func (r *room) command(env, args []string, limit limits) *exec.Cmd {
	script := fmt.Sprintf(`ulimit -v %d && ulimit -t %d && exec "$0" "$@"`, limit.memory, limit.cpu/time.Second)
	cmd := exec.Command("sh", append([]string{"-c", script, r.program, "-test.timeout=" + limit.wall.String()}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// build compiles the tests of a room with all mutants in it.
func (r *room) build() error {
	files, exports, err := list(r.dir)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	var trees []*ast.File
	sources := make([][]byte, len(files))
	for i, name := range files {
		if sources[i], err = os.ReadFile(filepath.Join(r.dir, name)); err != nil {
			return err
		}
		tree, err := parser.ParseFile(fset, name, sources[i], parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		trees = append(trees, tree)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	pkg, err := conf.Check(r.dir, fset, trees, info)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	write := func(name, text string) error {
		from, err := filepath.Abs(filepath.Join(r.dir, name))
		if err != nil {
			return err
		}
		replace[from] = filepath.Join(r.where, name)
		return os.WriteFile(replace[from], []byte(text), 0o600)
	}
	for i, tree := range trees {
		p := &planter{fset: fset, info: info, pkg: pkg, source: sources[i], mutants: &r.mutants}
		if err := write(files[i], p.plant(tree)); err != nil {
			return err
		}
	}
	if err := write("mutant_awake.go", fmt.Sprintf(awake, pkg.Name(), len(r.mutants)+1)); err != nil {
		return err
	}
	overlay := filepath.Join(r.where, "overlay.json")
	data, _ := json.Marshal(map[string]any{"Replace": replace})
	if err := os.WriteFile(overlay, data, 0o600); err != nil {
		return err
	}
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", r.program, "./"+r.dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// list returns the Go files of a room and where the compiler keeps what it knows of
// the packages that they import.
func list(dir string) (files []string, exports map[string]string, err error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,GoFiles,DepOnly", "./"+dir).Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list: %w", err)
	}
	exports = map[string]string{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Export string
			GoFiles            []string
			DepOnly            bool
		}
		if err := dec.Decode(&p); err == io.EOF {
			return files, exports, nil
		} else if err != nil {
			return nil, nil, err
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			files = p.GoFiles
		}
	}
}
