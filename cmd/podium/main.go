// Command podium is the engine of a model checking contest on Petri nets.
package main

import (
	"context"
	"os"

	"podium/cmd"
)

func main() {
	os.Exit(cmd.Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
