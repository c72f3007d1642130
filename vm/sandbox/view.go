//go:build linux

package sandbox

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/sandbox/maker"
)

// What a machine sees of its host.
//
// It sees what is named here, read-only, and nothing else: not other people's
// files, not sockets of services that a tool could talk to, and nothing that is
// writable. Whatever lies below one of these places and belongs to the contest
// (vm.Spec.Hide) is covered by an empty directory.
//
// Machines must not see each other through the host's files either: a lock, a lease,
// a watch or a pipe belongs to the inode of a file, and whoever opens the same inode
// notices. So directories are given as overlays, which have inodes of their own in
// each machine, and files as copies. What two machines still share is the memory
// that holds the contents of files: how long it takes to read one tells whether
// somebody read it before.

// hostView are the places of a host, as patterns of path/filepath. Some may be
// symbolic links.
var hostView = []string{
	"bin", "lib", "lib32", "lib64", "libx32", "sbin",
	"usr/bin", "usr/include", "usr/lib", "usr/lib32", "usr/lib64", "usr/libexec", "usr/libx32", "usr/sbin", "usr/share",
	"usr/local/bin", "usr/local/include", "usr/local/lib", "usr/local/lib64", "usr/local/libexec", "usr/local/sbin", "usr/local/share",
	"gnu/store", "nix/store",
	// How programs find their libraries, and each other.
	"etc/alternatives", "etc/ld.so.cache", "etc/ld.so.conf", "etc/ld.so.conf.d",
	// Settings of languages.
	"etc/.java", "etc/java*", "etc/jvm*", "etc/mono", "etc/perl", "etc/python*", "etc/maven", "etc/xml", "etc/sgml", "etc/fonts", "etc/terminfo",
	// Names, places and what sort of system this is.
	"etc/debian_version", "etc/gai.conf", "etc/host.conf", "etc/hosts", "etc/inputrc", "etc/locale.alias", "etc/locale.conf", "etc/localtime",
	"etc/lsb-release", "etc/magic", "etc/mime.types", "etc/nsswitch.conf", "etc/os-release", "etc/protocols", "etc/redhat-release",
	"etc/services", "etc/shells", "etc/timezone",
	// Certificates, which Java wants to start.
	"etc/ca-certificates", "etc/crypto-policies", "etc/pki/ca-trust", "etc/pki/java", "etc/pki/tls/certs", "etc/ssl",
}

// unseen are the places of a tree that is the machine's own, such as the one in an image,
// that machines do not see, beside those that they have themselves (ownPlaces): what is
// booted, what belongs to root, and what is mounted. There is nothing in such a tree that a
// tool should not see.
var unseen = []string{"boot", "lost+found", "media", "mnt", "root", "run", "srv", "sys"}

// copiedFile bounds the files of the host that machines get copies of, in bytes.
const copiedFile = 1 << 20

// shown is a place that machines see.
type shown struct {
	maker.Place
	real string // without symbolic links
}

// view is what machines see of a tree.
type view struct {
	root        string
	shared      bool // the tree is the host's, which other machines see, too
	shown       []shown
	environment []string // that programs of the tree expect
	// covered keeps what covers found out: []string by the directory.
	covered *sync.Map
}

// look finds out which places there are. More are paths of the host that somebody
// wants to be seen beside the usual ones.
func look(root string, more []string) view {
	v := view{root: cmp.Or(root, "/"), shared: root == "", covered: &sync.Map{}}
	if !v.shared {
		v.lookAtTree()
		return v
	}
	patterns := hostView
	for _, path := range more {
		patterns = append(slices.Clip(patterns), strings.TrimPrefix(filepath.Clean(path), "/"))
	}
	for _, pattern := range patterns {
		// The only error is a pattern that is none, which finds nothing.
		paths, _ := filepath.Glob(filepath.Join(v.root, pattern))
		for _, path := range paths {
			v.add(path)
		}
	}
	return v
}

// maxPlaces bounds the places at the top of a tree that are seen.
const maxPlaces = 100

// lookAtTree finds the places and the variables of a tree that is the machine's own.
func (v *view) lookAtTree() {
	entries, err := os.ReadDir(v.root)
	if err != nil {
		return // nothing is seen
	}
	for _, e := range entries {
		if name := e.Name(); len(v.shown) < maxPlaces && !slices.Contains(ownPlaces, name) && !slices.Contains(unseen, name) {
			v.add(filepath.Join(v.root, name))
		}
	}
	v.environment = variablesOf(v.root)
}

// variablesOf reads the variables that programs of a tree expect. A link out of the
// tree is not followed.
func variablesOf(tree string) (list []string) {
	root, err := os.OpenRoot(tree)
	if err != nil {
		return nil
	}
	defer root.Close()
	// It may be a pipe.
	f, err := root.OpenFile(vm.EnvironmentFile, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, vm.MaxEnvironment))
	if err != nil {
		return nil
	}
	for one := range strings.SplitSeq(string(text), "\x00") {
		if name, _, ok := strings.Cut(one, "="); ok && name != "" {
			list = append(list, one)
		}
	}
	return list
}

// withVariables puts the variables of the tree before those of a job, where the job does
// not say otherwise.
func (v *view) withVariables(job []string) []string {
	own := slices.DeleteFunc(slices.Clone(v.environment), func(one string) bool {
		name, _, _ := strings.Cut(one, "=")
		return slices.ContainsFunc(job, func(e string) bool { return strings.HasPrefix(e, name+"=") })
	})
	return append(own, job...)
}

// add looks at one place. What is neither directory, file nor link is left out, and
// so is what lies below a place that is seen anyway.
func (v *view) add(path string) {
	rel, err := filepath.Rel(v.root, path)
	if err != nil || slices.ContainsFunc(v.shown, func(s shown) bool { return within(rel, s.Path) }) {
		return
	}
	st, err := os.Lstat(path)
	if err != nil {
		return
	}
	s := shown{Place: maker.Place{Path: rel, Size: int(st.Size())}}
	switch kind := st.Mode().Type(); {
	case kind == os.ModeSymlink:
		s.Kind = maker.Link
		if s.Target, err = os.Readlink(path); err != nil {
			return
		}
	case kind.IsRegular() && st.Size() <= copiedFile:
		s.Kind = maker.File
	case !kind.IsDir():
		return
	}
	if s.real, err = filepath.EvalSymlinks(path); err != nil {
		s.real = path // a link that leads nowhere here may lead somewhere there
	}
	s.Top = v.topOf(s)
	v.shown = append(v.shown, s)
}

// topOf returns the first part of a place's path, or all of it where an overlay of the
// one would not show the other.
func (v *view) topOf(s shown) string {
	top, _, _ := strings.Cut(s.Path, "/")
	var a, b unix.Stat_t
	if s.real != filepath.Join(v.root, s.Path) || unix.Stat(filepath.Join(v.root, top), &a) != nil || unix.Stat(s.real, &b) != nil || a.Dev != b.Dev {
		return s.Path
	}
	return top
}

// within reports whether a path is dir or lies below it.
func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == '/' || dir == "/")
}

// covers returns the places in the machine that have to be covered so that none of
// the host's directories is seen. A directory that holds a whole place of the view
// cannot be hidden: who keeps a contest in /usr itself has to move it.
func (v *view) covers(hide []string) []string {
	if !v.shared {
		return nil
	}
	var found []string
	for _, dir := range hide {
		if known, ok := v.covered.Load(dir); ok {
			found = append(found, known.([]string)...)
			continue
		}
		real, err := realDir(dir)
		if err != nil {
			continue // there is nothing to be seen, so far
		}
		var places []string
		for _, s := range v.shown {
			if s.Kind == maker.Directory && real != s.real && within(real, s.real) {
				places = append(places, s.Path+strings.TrimPrefix(real, s.real))
			}
		}
		v.covered.Store(dir, places)
		found = append(found, places...)
	}
	return outermost(found)
}

// realDir returns the absolute path of a directory, without symbolic links.
func realDir(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	if st, err := os.Stat(real); err != nil || !st.IsDir() {
		return "", cmp.Or(err, error(unix.ENOTDIR))
	}
	return filepath.Abs(real)
}

// manySiblings is the number of covered directories from which on the one that they
// are in is covered: a collection of models has hundreds.
const manySiblings = 16

// outermost sorts paths and leaves out those that lie below another one.
func outermost(paths []string) []string {
	siblings := map[string]int{}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	for _, p := range paths {
		siblings[filepath.Dir(p)]++
	}
	for i, p := range paths {
		if dir := filepath.Dir(p); siblings[dir] >= manySiblings && !slices.Contains(hostView, dir) {
			paths[i] = dir
		}
	}
	slices.Sort(paths)
	var list []string
	for _, p := range paths {
		if n := len(list); n == 0 || !within(p, list[n-1]) {
			list = append(list, p)
		}
	}
	return list
}

// hidden are the directories of the host that the machine must not see.
func hidden(spec vm.Spec) []string {
	return append(slices.Clip(spec.Hide), spec.Tool, spec.Input)
}
