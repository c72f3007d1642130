// Command agent is the first process of a guest.
package main

import (
	"os"

	"podium/vm/guest"
)

func main() { os.Exit(guest.Main()) }
