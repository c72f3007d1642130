package task

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxSeen bounds the names that all patterns of a collection are compared with, so that
// no pattern walks through a whole host.
const maxSeen = 1 << 22

var errTooMany = errors.New("the patterns have been compared with too many names")

// glob returns the paths that a pattern matches, sorted, as [filepath.Glob] does, but hidden
// names only where the pattern begins with a dot, as in BenchExec; seen counts the names
// that it has looked at.
func glob(pattern string, seen *int) ([]string, error) {
	if _, err := filepath.Match(pattern, ""); err != nil {
		return nil, err
	}
	matches := []string{""}
	parts := strings.Split(filepath.Clean(pattern), string(filepath.Separator))
	if parts[0] == "" {
		matches, parts = []string{string(filepath.Separator)}, parts[1:]
	}
	for _, part := range parts {
		var next []string
		for _, dir := range matches {
			found, err := within(dir, part, seen)
			if err != nil {
				return nil, err
			}
			next = append(next, found...)
		}
		matches = next
	}
	return matches, nil
}

// within returns what one part of a pattern matches in a directory.
func within(dir, part string, seen *int) (list []string, err error) {
	if *seen++; *seen > maxSeen {
		return nil, errTooMany
	}
	if !strings.ContainsAny(part, `*?[\`) {
		path := filepath.Join(dir, part)
		if _, err := os.Lstat(path); err != nil {
			return nil, nil
		}
		return []string{path}, nil
	}
	where := filepath.Clean(dir) // "" is here
	if info, err := os.Stat(where); err != nil || !info.IsDir() {
		return nil, nil
	}
	f, err := os.Open(where)
	if err != nil {
		return nil, nil // as a directory without a match
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1 << 10)
		for _, name := range names {
			if *seen++; *seen > maxSeen {
				return nil, errTooMany
			}
			if ok, _ := filepath.Match(part, name); ok && (name[0] != '.' || part[0] == '.') {
				list = append(list, filepath.Join(dir, name))
			}
		}
		if err != nil || len(names) == 0 {
			break
		}
	}
	slices.Sort(list)
	return list, nil
}
