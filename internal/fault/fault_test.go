package fault

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/internal/parallel"
)

// TestContain: a panic, also one of a goroutine that package parallel waits for, is an error that
// names what it was about and the file with the stack of the function that failed.
func TestContain(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var nobody []int
	fail := func(at int) int { return nobody[at] }
	for name, do := range map[string]func() error{
		"at once": func() error { fail(3); return nil },
		"in a group": func() error {
			var g parallel.Group
			g.Go(func() { fail(3) })
			g.Wait()
			return nil
		},
		"of several": func() error { parallel.Indices(2, 5, func(k int) { fail(3) }); return nil },
		"in a list": func() error {
			for range parallel.Each(context.Background(), []int{3, 3, 3, 3}, fail) {
				t.Error("a result")
			}
			return nil
		},
		"twice": func() error {
			defer func() { panic(recover()) }()
			var g parallel.Group
			g.Go(func() { parallel.Indices(2, 5, func(k int) { fail(3) }) })
			g.Wait()
			return nil
		},
	} {
		err := Contain("page x\x1b[31m.html", do)
		var failure *Error
		if !errors.As(err, &failure) || !strings.HasPrefix(err.Error(), "page x\ufffd[31m.html: a failure of podium itself (runtime error: index out of range [3] with length 0); please report it") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text, err := os.ReadFile(failure.File)
		if err != nil || !strings.Contains(string(text), "fault.TestContain.func1(") {
			t.Errorf("%s: %v, and the stack is %s", name, err, text)
		}
	}
	if err := Contain("", func() error { return os.ErrExist }); err != os.ErrExist {
		t.Error(err)
	}
	err := Contain("outer", func() error { panic(Contain("inner", func() error { panic("deep") })) })
	if failure := new(Error); !errors.As(err, &failure) || failure.About != "outer: inner" || failure.Cause != "deep" {
		t.Error(err)
	}
}

// TestOneFilePerPlace: failures in one place share a file, those elsewhere have others, and where
// no file can be written the error says so.
func TestOneFilePerPlace(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	for k := range 3 {
		for _, long := range []string{"a", strings.Repeat("long", 100)} {
			Contain(long, func() error { panic(k) })
		}
		Contain("elsewhere", func() error { panic(k) })
	}
	list, err := os.ReadDir(Dir())
	if err != nil || len(list) != 2 {
		t.Errorf("%d files, %v", len(list), err)
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(Dir(), list[0].Name())) // a file
	if err := Contain("x", func() error { panic("y") }); err == nil || !strings.Contains(err.Error(), "with its stack:\ngoroutine") {
		t.Error(err)
	}
}
