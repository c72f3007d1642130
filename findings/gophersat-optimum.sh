#!/bin/sh
# github.com/crillab/gophersat 1.4.0. The optimum of an OPB file is one, one would guess: "min: -1 x1 -2 x2 -4 x3"
# under -1 x1 -2 x2 -4 x3 >= -5 ends with cost 0 and all variables false, where x1 and x3 give -5. And x1 >= 1 with x1
# + ~x1 >= 2, which nothing satisfies, is SAT with x1 false.
# Prints what was seen; fails when that changes. Needs go.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GOFLAGS=-mod=mod
cd "$dir"
cat > main.go <<'G'
package main

import (
	"fmt"
	"strings"

	"github.com/crillab/gophersat/solver"
)

func read(text string) *solver.Solver {
	problem, err := solver.ParseOPB(strings.NewReader(text))
	if err != nil {
		panic(err)
	}
	return solver.New(problem)
}

func main() {
	s := read("* #variable= 3 #constraint= 1\nmin: -1 x1 -2 x2 -4 x3 ;\n-1 x1 -2 x2 -4 x3 >= -5 ;\n")
	fmt.Println("minimum", s.Minimize(), s.Model())
	s = read("* #variable= 3 #constraint= 1\nmin: +1 x1 +2 x2 +4 x3 ;\n+1 x1 +2 x2 +4 x3 >= 5 ;\n")
	fmt.Println("minimum", s.Minimize(), s.Model())
	s = read("* #variable= 1 #constraint= 2\n+1 x1 >= 1 ;\n+1 x1 +1 ~x1 >= 2 ;\n")
	status := s.Solve()
	fmt.Println("both", status, s.Model())
}
G
go mod init example.org/t 2> /dev/null
go get github.com/crillab/gophersat@v1.4.0 2> /dev/null
go list -m github.com/crillab/gophersat
go run . | tee out
grep -qx 'minimum 0 \[false false false\]' out
grep -qx 'minimum 5 \[true false true\]' out
grep -qx 'both SAT \[false\]' out
