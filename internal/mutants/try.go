package main

import (
	"context"
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
	"os"
	"strconv"
)

var mutantNumber, _ = strconv.Atoi(os.Getenv("PODIUM_MUTANT"))

func mutantAwake(n int) bool { return n == mutantNumber }
`

// patience is how much longer than unchanged the tests of a mutant may take; a
// change that makes them endless is noticed, too.
const patience = 20

// memory is the virtual memory in KB that the tests of a mutant may take; a change
// may make them collect without end.
const memory = 8_000_000

// try runs the tests of a room against each of its mutants, or those in one file, and
// gives the number of those that survive and are not known to be equivalent.
func try(room, file string, known map[string]bool) (int, error) {
	where, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(where)
	program := filepath.Join(where, "room.test")
	mutants, err := build(room, where, program)
	if err != nil {
		return 0, err
	}
	if file != "" {
		mutants = slices.DeleteFunc(mutants, func(m mutant) bool { return m.at.Filename != file })
	}
	start := time.Now()
	if out, err := runTests(room, program, 0, 10*time.Minute); err != nil {
		return 0, fmt.Errorf("the tests fail without any mutant: %w\n%s", err, out)
	}
	limit := patience*time.Since(start) + 5*time.Second

	lives := make([]bool, len(mutants))
	next := make(chan int)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				_, err := runTests(room, program, mutants[i].number, limit)
				lives[i] = err == nil
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
		key := m.key(room)
		if !lives[i] {
			continue
		}
		if _, listed := known[key]; listed {
			known[key] = true
			equivalent++
		} else {
			survived++
			fmt.Printf("%s/%s:%d: survives: %s\n", room, m.at.Filename, m.at.Line, key)
		}
	}
	fmt.Printf("%s: %d mutants, %d killed, %d equivalent, %d survive\n", room, len(mutants), len(mutants)-survived-equivalent, equivalent, survived)
	return survived, nil
}

func runTests(room, program string, number int, limit time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	script := fmt.Sprintf(`ulimit -v %d; exec "$0" -test.short -test.failfast`, memory)
	cmd := exec.CommandContext(ctx, "sh", "-c", script, program)
	cmd.Dir = room
	cmd.Env = append(os.Environ(), "PODIUM_MUTANT="+strconv.Itoa(number))
	return cmd.CombinedOutput()
}

// build compiles the tests of a room with all mutants in it.
func build(room, where, program string) ([]mutant, error) {
	files, exports, err := list(room)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var trees []*ast.File
	sources := make([][]byte, len(files))
	for i, name := range files {
		if sources[i], err = os.ReadFile(filepath.Join(room, name)); err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(fset, name, sources[i], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	pkg, err := conf.Check(room, fset, trees, info)
	if err != nil {
		return nil, err
	}
	var mutants []mutant
	replace := map[string]string{}
	write := func(name, text string) error {
		from, err := filepath.Abs(filepath.Join(room, name))
		if err != nil {
			return err
		}
		replace[from] = filepath.Join(where, name)
		return os.WriteFile(replace[from], []byte(text), 0o600)
	}
	for i, tree := range trees {
		p := &planter{fset: fset, info: info, pkg: pkg, source: sources[i], mutants: &mutants}
		if err := write(files[i], p.plant(tree)); err != nil {
			return nil, err
		}
	}
	if err := write("mutant_awake.go", fmt.Sprintf(awake, pkg.Name())); err != nil {
		return nil, err
	}
	overlay := filepath.Join(where, "overlay.json")
	data, _ := json.Marshal(map[string]any{"Replace": replace})
	if err := os.WriteFile(overlay, data, 0o600); err != nil {
		return nil, err
	}
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", program, "./"+room).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return mutants, nil
}

// list gives the Go files of a room and where the compiler keeps what it knows of
// the packages that they import.
func list(room string) (files []string, exports map[string]string, err error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,GoFiles,DepOnly", "./"+room).Output()
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
