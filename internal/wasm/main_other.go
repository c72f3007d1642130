//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this program runs in pages that podium published: build it by GOOS=js GOARCH=wasm go build")
	os.Exit(2)
}
