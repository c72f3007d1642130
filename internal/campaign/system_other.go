//go:build !linux

package campaign

import (
	"errors"
	"os"
	"runtime"
)

// Campaigns are read everywhere. They are planned and run on Linux.

const noLinkNoWait = 0

var errSystem = errors.New("campaigns are planned and run on Linux, this is " + runtime.GOOS + " on " + runtime.GOARCH + "; their results can be scored and published here")

func tryLock(*os.File) error { return errSystem }

func touch(string) error { return errSystem }

func shareBlocks(_, _ *os.File) error { return errSystem }

func nextData(_ *os.File, at, size int64) (data, end int64) { return at, size }

func syncFileSystem(string) error { return errSystem }

func noProcess(int) bool { return false }

func systemNameAndMemory() (name string, memory int64) { return runtime.GOOS, 0 }
