// Command mutants changes rooms in small ways and runs their tests against each
// change: a comparison that is off by one, a sum that is a difference, a constant
// that is one more, a statement that is left out. A change that no test notices is
// a survivor: either a test is missing, or the change makes no difference, and then
// it is listed in equivalent.txt with the reason.
//
//	go run ./internal/mutants confidence scoring examinations
//	go run ./internal/mutants scoring/score.go
//
// All changes of a room are compiled into one test program, which is told by the
// environment variable PODIUM_MUTANT which one to take; so a change costs one run
// of the tests and no compilation. A run has a limit of time and of memory. The exit
// code is 1 when something survives.
package main

import (
	_ "embed"
	"fmt"
	"os"
	"path"
	"strings"
)

//go:embed equivalent.txt
var equivalentText string

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: mutants ROOM|FILE...     such as: mutants confidence scoring/score.go")
		os.Exit(2)
	}
	known := equivalents(equivalentText)
	survived := 0
	for _, arg := range os.Args[1:] {
		room, file := arg, ""
		if strings.HasSuffix(arg, ".go") {
			room, file = path.Split(arg)
		}
		n, err := try(path.Clean(room), file, known)
		if err != nil {
			fmt.Fprintf(os.Stderr, "mutants: %s: %v\n", arg, err)
			os.Exit(1)
		}
		for key, met := range known {
			if f, _, _ := strings.Cut(key, " "); !met && (path.Dir(f) == arg || f == arg) {
				fmt.Printf("not there, or killed; remove it from equivalent.txt: %s\n", key)
				survived++
			}
		}
		survived += n
	}
	if survived > 0 {
		os.Exit(1)
	}
}

// equivalents reads lines "file function: before → after  # reason". The values
// become true when such a mutant survives.
func equivalents(text string) map[string]bool {
	known := map[string]bool{}
	for line := range strings.Lines(text) {
		key, _, _ := strings.Cut(line, "  # ")
		if key = strings.TrimSpace(key); key != "" && !strings.HasPrefix(key, "#") {
			known[key] = false
		}
	}
	return known
}
