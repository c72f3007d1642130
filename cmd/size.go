package cmd

import (
	"fmt"

	"podium/internal/wording"
)

// byteSize is a flag in bytes: a number with an optional decimal (GB) or binary
// (GiB) unit.
type byteSize int64

// Set reads "16GB", "512 MiB" or a plain number of bytes.
func (s *byteSize) Set(text string) error {
	n, err := wording.Bytes(text)
	*s = byteSize(n)
	return err
}

// String is the size in the largest unit that divides it.
func (s *byteSize) String() string { return wording.Size(int64(*s)) }

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
