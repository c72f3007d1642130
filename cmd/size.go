package cmd

import (
	"fmt"
	"strconv"
	"strings"
)

// byteSize is a flag in bytes: a number with an optional decimal (GB) or binary
// (GiB) unit.
type byteSize int64

var sizeUnits = []struct {
	name   string
	factor int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// Set reads "16GB", "512 MiB" or a plain number of bytes.
func (s *byteSize) Set(text string) error {
	for _, u := range sizeUnits {
		digits, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n <= 0 || n > (1<<62)/u.factor {
			break
		}
		*s = byteSize(n * u.factor)
		return nil
	}
	return fmt.Errorf("%q is no size: write a whole number with a unit, such as 16GB or 512MiB", text)
}

// String is the size in the largest unit that divides it.
func (s *byteSize) String() string {
	for _, u := range []string{"TB", "GB", "MB", "kB", "GiB", "MiB"} {
		for _, unit := range sizeUnits {
			if unit.name == u && int64(*s) >= unit.factor && int64(*s)%unit.factor == 0 {
				return strconv.FormatInt(int64(*s)/unit.factor, 10) + u
			}
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Type names the kind of flag in help texts.
func (s *byteSize) Type() string { return "size" }

// memorySize is a size of memory. A plain number such as 16, meant as GB, would
// leave no room for any program.
type memorySize byteSize

// leastMemory is the smallest memory that can be asked for.
const leastMemory = 16e6

// Set reads a size as byteSize does.
func (s *memorySize) Set(text string) error {
	var size byteSize
	if err := size.Set(text); err != nil {
		return err
	}
	if size < leastMemory {
		return fmt.Errorf("%q is too little memory for any program: the smallest is 16MB, and a number without a unit is bytes", text)
	}
	*s = memorySize(size)
	return nil
}

// String is the size in the largest unit that divides it.
func (s *memorySize) String() string { return (*byteSize)(s).String() }

// Type names the kind of flag in help texts.
func (s *memorySize) Type() string { return "size" }
