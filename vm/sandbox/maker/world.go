//go:build linux

package maker

import (
	"path"
	"slices"
	"strconv"
	"syscall"
	"unsafe"
)

const (
	emptyDir    = PrivateDir + "/empty"
	hostDir     = PrivateDir + "/host" // for overlays of which parts are shown
	assemblyDir = "/proc"              // exists on every host; the machine's root is put together on top of it
)

// devices with their numbers.
var devices = []struct {
	name         string
	major, minor int
}{
	{"full", 1, 7}, {"null", 1, 3}, {"random", 1, 8}, {"tty", 5, 0}, {"urandom", 1, 9}, {"zero", 1, 5},
}

// builder makes a world step by step. After a step that failed it makes no other.
type builder struct {
	*World
	err     error
	partial []string // directories of which parts are shown

	// What is opened before something is mounted that could hide it: copies of mounts,
	// and files. Those of places are in their order, -1 where none is needed.
	tool, input, group int
	devices, places    []int
}

// build makes the world, and starts the first process in it.
func (w *World) build() (*first, error) {
	first, err := newFirst(w)
	b := &builder{World: w, err: err}
	syscall.Umask(0)
	b.mount("make mounts private", "none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	b.openAll()
	b.mount("mount the private file system", "tmpfs", assemblyDir, "tmpfs", syscall.MS_NOSUID, "mode=755")
	b.try("enter the private file system", func() error { return syscall.Chdir(assemblyDir) })
	b.dir(PrivateDir, 0o700)
	b.dir(emptyDir, 0o555)
	b.showHost()
	b.accounts()
	for _, dir := range b.partial {
		// In a machine of an ordinary user they belong to the tool.
		b.protect(dir)
	}
	b.deviceFiles()
	b.dir("proc", 0o755)
	b.ownGroup()
	b.homeDirs()
	// An ordinary user's tool owns what is in there, too.
	b.bind("close the layers", emptyDir, PrivateDir)
	if w.InitialRoot {
		b.mount("cover the root", ".", "/", "", syscall.MS_MOVE, "")
		b.try("change the root", func() error { return syscall.Chroot(".") })
	} else {
		b.try("change the root", func() error { return syscall.PivotRoot(".", ".") })
	}
	b.try("set the host name", func() error { return syscall.Sethostname([]byte("mcc")) })
	syscall.Umask(0o22)
	b.keepPrivileges()
	if b.err == nil {
		b.err = first.start()
	}
	if !w.InitialRoot {
		// Not before: an ordinary user may mount /proc only where another one is seen.
		b.detach("leave the host's root", ".")
	}
	b.try("enter the root", func() error { return syscall.Chdir("/") })
	return first, b.err
}

// keepPrivileges lets no execution have a capability from here on: the first process and
// the command are started by this thread.
func (b *builder) keepPrivileges() {
	none := false
	for one := uintptr(0); !none && b.err == nil; one++ {
		b.try("drop a capability", func() error {
			err := prctl(syscall.PR_CAPBSET_DROP, one)
			if none = err == syscall.EINVAL; none {
				return nil // nor is there one of a higher number
			}
			return err
		})
	}
	b.try("drop ambient capabilities", func() error { return prctl(prCapAmbient, prCapAmbientClearAll) })
	b.try("forbid new privileges", func() error { return prctl(prSetNoNewPrivs, 1) })
}

func prctl(option, argument uintptr) error {
	_, _, e := syscall.Syscall6(syscall.SYS_PRCTL, option, argument, 0, 0, 0, 0)
	return errnoOrNil(e)
}

// openAll opens what the world is made of.
func (b *builder) openAll() {
	for _, p := range b.Places {
		fd := -1
		switch from := b.Root + "/" + p.Path; {
		case p.Kind == File:
			fd = b.open("open "+from, from, syscall.O_RDONLY)
		case p.Kind == Directory && !b.OwnInodes:
			fd = b.openTree("open "+from, from, mountReadOnly|mountNoDev, 0, true)
		}
		b.places = append(b.places, fd)
	}
	b.tool = b.openTree("open the tool directory "+b.Tool, b.Tool, mountReadOnly, b.ToolMap, false)
	if b.Input != "" {
		b.input = b.openTree("open the instance directory "+b.Input, b.Input, mountReadOnly, b.InputMap, false)
	}
	if b.Group != "" {
		b.group = b.openTree("open the control group", b.Group, mountReadOnly|mountNoDev|mountNoExec, 0, false)
	}
	if b.UserNamespace {
		for _, d := range devices {
			b.devices = append(b.devices, b.copyMount("open /dev/"+d.name, "/dev/"+d.name, 0))
		}
	}
}

// showHost makes what the machine sees of the host.
func (b *builder) showHost() {
	made := map[string]bool{".": true}
	b.dir(hostDir, 0o755)
	var parents func(string)
	parents = func(place string) {
		dir := path.Dir(place)
		if made[dir] {
			return
		}
		made[dir] = true
		parents(dir)
		b.dir(dir, 0o755)
		if path.Dir(dir) == "." {
			b.partial = append(b.partial, dir)
			b.bind("mount /"+dir, dir, dir)
		}
	}
	var wholes []string
	for i, p := range b.Places {
		parents(p.Path)
		made[p.Path] = true
		whole := hostDir + "/" + p.Top
		switch {
		case p.Kind == Link:
			b.link(p.Target, p.Path)
		case p.Kind == File:
			b.copyFile("copy /"+p.Path, b.places[i], p.Path, p.Size)
		case !b.OwnInodes:
			b.dir(p.Path, 0o755)
			b.moveTree("mount /"+p.Path, b.places[i], p.Path)
		case p.Top == p.Path:
			b.dir(p.Path, 0o755)
			b.overlayOf(p.Path, layer(b.Root+"/"+p.Path))
		default:
			b.dir(p.Path, 0o755)
			if !slices.Contains(wholes, whole) {
				wholes = append(wholes, whole)
				b.dir(whole, 0o755)
				b.overlayOf(whole, layer(b.Root+"/"+p.Top))
			}
			b.bind("mount /"+p.Path, hostDir+"/"+p.Path, p.Path)
		}
	}
	for _, whole := range wholes {
		b.detach("detach "+whole, whole)
	}
	for _, place := range b.Covered {
		b.try("cover /"+place, func() error {
			if err := syscall.Mount(emptyDir, place, "", syscall.MS_BIND, ""); err != syscall.ENOENT {
				return err
			}
			return nil // there is nothing to be seen
		})
	}
}

// accounts puts files over the host's that know the tool's user, for programs
// that ask for its name or home.
func (b *builder) accounts() {
	etc := slices.ContainsFunc(b.Places, func(p Place) bool { return p.Path == "etc" })
	for _, f := range []struct{ name, content string }{{"passwd", b.Passwd}, {"group", b.GroupFile}} {
		switch {
		case f.content == "":
		case etc:
			b.file(f.name, f.content)
			b.bind("replace /etc/"+f.name, f.name, "etc/"+f.name)
			b.protect("etc/" + f.name)
			b.try("unlink "+f.name, func() error { return syscall.Unlink(f.name) })
		default:
			b.file("etc/"+f.name, f.content)
		}
	}
}

// maxTerminals bounds the pseudo terminals of a machine: the kernel counts those of all
// machines together, and their memory for no run.
const maxTerminals = 16

func (b *builder) deviceFiles() {
	b.dir("dev", 0o755)
	b.dir("dev/shm", 0o1777)
	for i, d := range devices {
		file := "dev/" + d.name
		if b.UserNamespace {
			b.file(file, "")
			b.moveTree("bind "+file, b.devices[i], file)
			continue
		}
		b.try("make "+file, func() error { return syscall.Mknod(file, syscall.S_IFCHR|0o666, d.major<<8|d.minor) })
	}
	b.dir("dev/pts", 0o755)
	b.mount("mount /dev/pts", "devpts", "dev/pts", "devpts", syscall.MS_NOSUID|syscall.MS_NOEXEC,
		"newinstance,ptmxmode=0666,max="+strconv.Itoa(maxTerminals))
	b.link("pts/ptmx", "dev/ptmx")
	for _, l := range []struct{ name, number string }{{"fd", ""}, {"stdin", "/0"}, {"stdout", "/1"}, {"stderr", "/2"}} {
		b.link("/proc/self/fd"+l.number, "dev/"+l.name)
	}
}

// ownGroup shows the machine's group where runtimes look for their limit of memory. The
// command has a namespace in which this group is the root.
func (b *builder) ownGroup() {
	if b.Group == "" {
		return
	}
	b.dir("sys", 0o755)
	b.bind("mount /sys", "sys", "sys")
	b.dir("sys/fs", 0o755)
	b.dir("sys/fs/cgroup", 0o755)
	if b.GroupAt != "sys/fs/cgroup" {
		b.dir(b.GroupAt, 0o755)
	}
	b.moveTree("mount /"+b.GroupAt, b.group, b.GroupAt)
	b.protect("sys")
}

// homeDirs makes what the tool owns, and its two views of the host.
func (b *builder) homeDirs() {
	b.dir("tmp", 0o1777)
	b.dir("var", 0o755)
	b.link("/tmp", "var/tmp")
	b.dir("home", 0o755)
	b.ownDir(b.Home)
	b.dir(b.ToolDir, 0o755)
	if b.OwnInodes {
		const lower = PrivateDir + "/tool"
		b.dir(lower, 0o755)
		b.moveTree("mount the tool directory", b.tool, lower)
		b.overlayOf(b.ToolDir, lower)
		b.detach("detach "+lower, lower)
	} else {
		b.moveTree("mount the tool directory", b.tool, b.ToolDir)
	}
	for i, dir := range b.Writable {
		own := PrivateDir + "/writable" + strconv.Itoa(i)
		b.ownDir(own)
		b.bind("make "+dir+" of the tool writable", own, b.ToolDir+"/"+dir)
	}
	b.ownDir(b.ResultDir)
	if b.Input == "" {
		b.ownDir(b.InstanceDir)
		return
	}
	const lower, upper, work = PrivateDir + "/lower", PrivateDir + "/upper", PrivateDir + "/work"
	b.dir(b.InstanceDir, 0o755)
	b.dir(lower, 0o755)
	b.dir(work, 0o755)
	b.ownDir(upper)
	b.moveTree("mount the instance directory", b.input, lower)
	b.mount("mount the private view of the instance", "overlay", b.InstanceDir, "overlay", syscall.MS_NOSUID|syscall.MS_NODEV,
		"lowerdir="+lower+",upperdir="+upper+",workdir="+work+b.overlayOptions())
	b.detach("detach "+lower, lower)
}

// try makes one step.
func (b *builder) try(step string, call func() error) {
	if b.err == nil {
		b.err = failed(step, call())
	}
}

// failed says which step an error comes from.
func failed(step string, err error) error {
	if err == nil {
		return nil
	}
	errno, _ := err.(syscall.Errno)
	return &Failure{step, errno}
}

func (b *builder) mount(step, source, target, kind string, flags uintptr, data string) {
	b.try(step, func() error { return syscall.Mount(source, target, kind, flags, data) })
}

func (b *builder) bind(step, from, to string) { b.mount(step, from, to, "", syscall.MS_BIND, "") }

// protect makes a mount read-only.
func (b *builder) protect(dir string) {
	const flags = syscall.MS_REMOUNT | syscall.MS_BIND | syscall.MS_RDONLY | syscall.MS_NOSUID | syscall.MS_NODEV
	b.mount("protect /"+dir, "", dir, "", flags, "")
}

// detach removes a mount from sight; what uses it keeps it.
func (b *builder) detach(step, dir string) {
	b.try(step, func() error { return syscall.Unmount(dir, syscall.MNT_DETACH) })
}

// overlayOf shows a directory with inodes of the machine's own. An overlay that
// cannot be written to needs two layers, and one may be empty.
func (b *builder) overlayOf(dir, lower string) {
	b.mount("show /"+dir, "overlay", dir, "overlay", syscall.MS_RDONLY|syscall.MS_NOSUID|syscall.MS_NODEV,
		"lowerdir="+emptyDir+":"+lower+b.overlayOptions())
}

// overlayOptions are those that overlays of an ordinary user need.
func (b *builder) overlayOptions() string {
	if b.UserNamespace {
		return ",userxattr"
	}
	return ""
}

// layer writes a path as overlays want it in their options.
func layer(path string) string {
	var escaped []byte
	for _, c := range []byte(path) {
		if c == '\\' || c == ':' || c == ',' {
			escaped = append(escaped, '\\')
		}
		escaped = append(escaped, c)
	}
	return string(escaped)
}

func (b *builder) dir(path string, mode uint32) {
	b.try("make directory "+path, func() error { return syscall.Mkdir(path, mode) })
}

// ownDir makes a directory that belongs to the tool.
func (b *builder) ownDir(path string) {
	b.dir(path, 0o755)
	if !b.UserNamespace {
		b.try("give away "+path, func() error { return syscall.Chown(path, b.User, b.User) })
	}
}

func (b *builder) link(target, name string) {
	b.try("link /"+name, func() error { return syscall.Symlink(target, name) })
}

// open opens a file. It returns -1 after a failure.
func (b *builder) open(step, path string, flags int) (fd int) {
	b.try(step, func() (err error) {
		fd, err = syscall.Open(path, flags|syscall.O_CLOEXEC, 0o644)
		return err
	})
	if b.err != nil {
		return -1
	}
	return fd
}

func (b *builder) file(path, content string) {
	fd := b.open("make file "+path, path, syscall.O_WRONLY|syscall.O_CREAT)
	b.try("write file "+path, func() error {
		_, err := syscall.Write(fd, []byte(content))
		return err
	})
	syscall.Close(fd)
}

// copyFile makes a file of so many bytes of another one.
func (b *builder) copyFile(step string, from int, path string, size int) {
	fd := b.open("make file "+path, path, syscall.O_WRONLY|syscall.O_CREAT)
	b.try(step, func() error {
		for size > 0 {
			n, err := syscall.Sendfile(fd, from, nil, size)
			if n <= 0 || err != nil {
				return err
			}
			size -= n
		}
		return nil
	})
	syscall.Close(fd)
	syscall.Close(from)
}

// copyMount opens a detached copy of a mount. It returns -1 after a failure.
func (b *builder) copyMount(step, path string, flags uintptr) int {
	fd := -1
	b.try(step, func() error {
		name, err := syscall.BytePtrFromString(path)
		if err != nil {
			return err
		}
		r, _, e := syscall.Syscall(sysOpenTree, atCWD, uintptr(unsafe.Pointer(name)), openTreeClone|syscall.O_CLOEXEC|flags)
		if e != 0 {
			return e
		}
		fd = int(r)
		return nil
	})
	return fd
}

// mountAttributes is struct mount_attr.
type mountAttributes struct{ set, clear, propagation, userns uint64 }

// openTree opens a copy of a mount, with attributes set.
func (b *builder) openTree(step, path string, attributes uint64, userns int, recursive bool) int {
	flags := uintptr(0)
	if recursive {
		flags = atRecursive
	}
	attr := mountAttributes{set: attributes | mountNoSuid, userns: uint64(userns)}
	if userns != 0 {
		attr.set |= mountIDMap
	}
	fd := b.copyMount(step, path, flags)
	b.try(step+": set its attributes", func() error {
		_, _, e := syscall.Syscall6(sysMountSetattr, uintptr(fd), uintptr(unsafe.Pointer(&noPath[0])), atEmptyPath|flags,
			uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
		return errnoOrNil(e)
	})
	return fd
}

// moveTree mounts an opened copy.
func (b *builder) moveTree(step string, fd int, to string) {
	b.try(step, func() error {
		name, err := syscall.BytePtrFromString(to)
		if err != nil {
			return err
		}
		_, _, e := syscall.Syscall6(sysMoveMount, uintptr(fd), uintptr(unsafe.Pointer(&noPath[0])), atCWD, uintptr(unsafe.Pointer(name)), moveEmptyPath, 0)
		syscall.Close(fd)
		return errnoOrNil(e)
	})
}

// noPath is a path of no bytes: what is meant is the descriptor before it.
var noPath [1]byte

func errnoOrNil(e syscall.Errno) error {
	if e != 0 {
		return e
	}
	return nil
}
