//go:build linux && amd64

package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"podium/vm"
)

const (
	emptyDir    = privateDir + "/empty"
	hostDir     = privateDir + "/host" // for overlays of which parts are shown
	assemblyDir = "/proc"              // exists on every host; the machine's root is put together on top of it
)

// Who the tool is, as user and as group.
const (
	// firstToolID to lastToolID under an engine that is root. systemd's table of
	// numbers leaves this range unused, so no file and no other process has them.
	firstToolID, lastToolID = 1_879_048_192, 2_147_352_575
	// toolIDs are the numbers of one engine: each of its machines has one of its own.
	toolIDs = 64
	// userToolID in the user namespace of an ordinary user.
	userToolID = 1000
)

// link is a symbolic link.
type link struct{ name, target string }

// devices with their numbers.
var devices = []struct {
	name         string
	major, minor uint32
}{
	{"full", 1, 7}, {"null", 1, 3}, {"random", 1, 8}, {"tty", 5, 0}, {"urandom", 1, 9}, {"zero", 1, 5},
}

// world describes the file system of one machine.
type world struct {
	view    view
	covered []string // directories of the view that are not to be seen
	partial []string // directories of which parts are shown
	// ownInodes: the view has inodes that no other machine has.
	ownInodes bool
	tool      string   // host directory
	writable  []string // directories of the tool
	input     string   // host directory, "" for an empty one
	overlay   bool     // give the instance directory as an overlay; else the engine copies
	// userNamespace: the machine is in a user namespace of an ordinary user,
	// where device nodes cannot be made.
	userNamespace bool
	user          int  // who the tool is, as user and as group
	freshProc     bool // mount a new /proc, which some containers forbid
	initialRoot   bool // the host's root is the kernel's initial one, which cannot be changed, only covered
	toolMap       int  // descriptor of a user namespace that maps the owner of tool to the tool's user, 0 for none
	inputMap      int
	memory        controller // of the machine, which runtimes read their limit from
	passwd, group string     // files that replace the host's, "" where the host has none
}

// copies reports whether the engine has to copy the instance directory.
func (w *world) copies() bool { return w.input != "" && !w.overlay }

// Descriptors that the boot program uses.
const (
	fdTool = iota + 40
	fdInput
	fdFile
	fdGroup
	fdDevices // the first of several
	fdHost    = fdDevices + 16
)

// bootProgram prepares the machine, says so, and waits for the job.
func (w *world) bootProgram() *program {
	p := &program{}
	p.call("die with the engine", unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uint64(unix.SIGKILL))
	p.call("umask", unix.SYS_UMASK, 0)
	none := p.str("none")
	p.call("make mounts private", unix.SYS_MOUNT, none, p.str("/"), 0, unix.MS_REC|unix.MS_PRIVATE, 0)

	// All sources are opened before something is mounted, which could hide them.
	w.openHost(p)
	p.openTree("open the tool directory "+w.tool, w.tool, fdTool, unix.MOUNT_ATTR_RDONLY, w.toolMap, false)
	if w.input != "" && !w.copies() {
		p.openTree("open the instance directory "+w.input, w.input, fdInput, unix.MOUNT_ATTR_RDONLY, w.inputMap, false)
	}
	if w.memory.known() {
		p.openTree("open the control group", string(w.memory.parent), fdGroup, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NODEV|unix.MOUNT_ATTR_NOEXEC, 0, false)
	}
	if w.userNamespace {
		for i, d := range devices {
			path := filepath.Join("/dev", d.name)
			p.open("open "+path, uint64(fdDevices+i), unix.SYS_OPEN_TREE, at, p.str(path), unix.OPEN_TREE_CLONE|unix.O_CLOEXEC)
		}
	}

	tmpfs := p.str("tmpfs")
	p.call("mount the private file system", unix.SYS_MOUNT, tmpfs, p.str(assemblyDir), tmpfs, unix.MS_NOSUID, p.str("mode=755"))
	p.call("enter the private file system", unix.SYS_CHDIR, p.str(assemblyDir))
	p.dir(privateDir, 0o700)
	p.dir(emptyDir, 0o555)
	w.showHost(p)
	w.accounts(p)
	w.protectHost(p)
	w.deviceFiles(p)
	p.dir("proc", 0o755)
	if w.freshProc {
		proc := p.str("proc")
		p.call("mount /proc", unix.SYS_MOUNT, proc, proc, proc, unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, 0)
	}
	w.ownGroup(p)
	w.homeDirs(p)
	// An ordinary user's tool owns what is in there, too.
	p.call("close the layers", unix.SYS_MOUNT, p.str(emptyDir), p.str(privateDir), 0, unix.MS_BIND, 0)

	dot := p.str(".")
	if w.initialRoot {
		p.call("cover the root", unix.SYS_MOUNT, dot, p.str("/"), 0, unix.MS_MOVE, 0)
		p.call("change the root", unix.SYS_CHROOT, dot)
	} else {
		p.call("change the root", unix.SYS_PIVOT_ROOT, dot, dot)
		p.call("leave the host's root", unix.SYS_UMOUNT2, dot, unix.MNT_DETACH)
	}
	p.call("enter the root", unix.SYS_CHDIR, p.str("/"))
	hostname := "mcc"
	p.call("set the host name", unix.SYS_SETHOSTNAME, p.str(hostname), uint64(len(hostname)))
	p.call("block signals", unix.SYS_RT_SIGPROCMASK, unix.SIG_BLOCK, p.words(initSignals), 0, 8)
	p.call("say ready", unix.SYS_WRITE, fdStatus, p.words(bootMark), 8)
	wait := p.call("wait for the job", unix.SYS_READ, fdGo, scratchAddress+8, 1)
	wait.equal, wait.then = 1, opWord(len(p.ops)+1, 0)
	p.call("exit", unix.SYS_EXIT_GROUP, 0)
	p.call("read the job", unix.SYS_PREAD64, fdProgram, jobAddress, jobLimit, 0)
	p.jump(jobAddress)
	return p
}

// accounts puts files over the host's that know the tool's user, for programs
// that ask for its name or home.
func (w *world) accounts(p *program) {
	for _, f := range []struct{ name, content string }{{"passwd", w.passwd}, {"group", w.group}} {
		if f.content == "" {
			continue
		}
		if !w.view.has("etc") {
			p.file("etc/"+f.name, f.content)
			continue
		}
		p.file(f.name, f.content)
		to := p.str("etc/" + f.name)
		p.call("replace /etc/"+f.name, unix.SYS_MOUNT, p.str(f.name), to, 0, unix.MS_BIND, 0)
		p.protect("etc/" + f.name)
		p.call("unlink "+f.name, unix.SYS_UNLINK, p.str(f.name))
	}
}

func (w *world) deviceFiles(p *program) {
	p.dir("dev", 0o755)
	p.dir("dev/shm", 0o1777)
	for i, d := range devices {
		path := "dev/" + d.name
		if w.userNamespace {
			p.file(path, "")
			p.moveTree("bind "+path, uint64(fdDevices+i), path)
			continue
		}
		p.call("make "+path, unix.SYS_MKNOD, p.str(path), unix.S_IFCHR|0o666, unix.Mkdev(d.major, d.minor))
	}
	p.dir("dev/pts", 0o755)
	terminals := p.str("devpts")
	p.call("mount /dev/pts", unix.SYS_MOUNT, terminals, p.str("dev/pts"), terminals, unix.MS_NOSUID|unix.MS_NOEXEC,
		p.str("newinstance,ptmxmode=0666,max="+strconv.Itoa(maxTerminals)))
	p.call("link /dev/ptmx", unix.SYS_SYMLINK, p.str("pts/ptmx"), p.str("dev/ptmx"))
	for _, l := range []link{{"fd", ""}, {"stdin", "/0"}, {"stdout", "/1"}, {"stderr", "/2"}} {
		p.call("link /dev/"+l.name, unix.SYS_SYMLINK, p.str("/proc/self/fd"+l.target), p.str("dev/"+l.name))
	}
}

// maxTerminals bounds the pseudo terminals of a machine: the kernel counts those of all
// machines together, and their memory for no run.
const maxTerminals = 16

// ownGroup shows the machine's group where runtimes look for their limit of memory. The
// command has a namespace in which this group is the root (job.go).
func (w *world) ownGroup(p *program) {
	if !w.memory.known() {
		return
	}
	path := "sys/fs/cgroup"
	sys := p.str("sys")
	p.dir("sys", 0o755)
	p.call("mount /sys", unix.SYS_MOUNT, sys, sys, 0, unix.MS_BIND, 0)
	p.dir("sys/fs", 0o755)
	p.dir(path, 0o755)
	if !w.memory.v2 {
		path += "/memory"
		p.dir(path, 0o755)
	}
	p.moveTree("mount /"+path, fdGroup, path)
	p.protect("sys")
}

// homeDirs makes what the tool owns, and its two views of the host.
func (w *world) homeDirs(p *program) {
	p.dir("tmp", 0o1777)
	p.dir("var", 0o755)
	p.call("link /var/tmp", unix.SYS_SYMLINK, p.str("/tmp"), p.str("var/tmp"))
	p.dir("home", 0o755)
	w.ownDir(p, vm.Home[1:])
	p.dir(vm.ToolDir[1:], 0o755)
	if w.ownInodes {
		p.dir(privateDir+"/tool", 0o755)
		p.moveTree("mount the tool directory", fdTool, privateDir+"/tool")
		w.overlayOf(p, vm.ToolDir[1:], privateDir+"/tool")
		p.detach(privateDir + "/tool")
	} else {
		p.moveTree("mount the tool directory", fdTool, vm.ToolDir[1:])
	}
	for i, dir := range w.writable {
		own := privateDir + "/writable" + strconv.Itoa(i)
		w.ownDir(p, own)
		p.call("make "+dir+" of the tool writable", unix.SYS_MOUNT, p.str(own), p.str(vm.ToolDir[1:]+"/"+dir), 0, unix.MS_BIND, 0)
	}
	w.ownDir(p, vm.ResultDir[1:])
	if w.input == "" || w.copies() {
		w.ownDir(p, vm.InstanceDir[1:])
		return
	}
	p.dir(vm.InstanceDir[1:], 0o755)
	p.dir(privateDir+"/lower", 0o755)
	p.dir(privateDir+"/work", 0o755)
	w.ownDir(p, privateDir+"/upper")
	p.moveTree("mount the instance directory", fdInput, privateDir+"/lower")
	options := "lowerdir=" + privateDir + "/lower,upperdir=" + privateDir + "/upper,workdir=" + privateDir + "/work" + w.overlayOptions()
	overlay := p.str("overlay")
	p.call("mount the private view of the instance", unix.SYS_MOUNT, overlay, p.str(vm.InstanceDir[1:]), overlay,
		unix.MS_NOSUID|unix.MS_NODEV, p.str(options))
	p.detach(privateDir + "/lower")
}

// ownDir makes a directory that belongs to the tool.
func (w *world) ownDir(p *program, path string) {
	p.dir(path, 0o755)
	if !w.userNamespace {
		p.call("give away "+path, unix.SYS_CHOWN, p.str(path), uint64(w.user), uint64(w.user))
	}
}

// at is AT_FDCWD as a word.
const at = ^uint64(99)

// openTree opens a detached copy of a mount, with attributes set.
func (p *program) openTree(label, path string, fd uint64, attributes uint64, userns int, recursive bool) {
	flags := uint64(unix.OPEN_TREE_CLONE | unix.O_CLOEXEC)
	setFlags := uint64(unix.AT_EMPTY_PATH)
	if recursive {
		flags |= unix.AT_RECURSIVE
		setFlags |= unix.AT_RECURSIVE
	}
	attributes |= unix.MOUNT_ATTR_NOSUID
	if userns != 0 {
		attributes |= unix.MOUNT_ATTR_IDMAP
	}
	p.open(label, fd, unix.SYS_OPEN_TREE, at, p.str(path), flags)
	// struct mount_attr: set, clear, propagation, user namespace.
	attr := p.words(attributes, 0, 0, uint64(userns))
	p.call(label+": set its attributes", unix.SYS_MOUNT_SETATTR, fd, p.str(""), setFlags, attr, 32)
}

func (p *program) moveTree(label string, fd uint64, to string) {
	p.call(label, unix.SYS_MOVE_MOUNT, fd, p.str(""), at, p.str(to), unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// detach removes a mount from sight; what uses it keeps it.
func (p *program) detach(path string) {
	p.call("detach "+path, unix.SYS_UMOUNT2, p.str(path), unix.MNT_DETACH)
}

func (p *program) dir(path string, mode uint64) {
	p.call("make directory "+path, unix.SYS_MKDIR, p.str(path), mode)
}

func (p *program) file(path, content string) {
	p.open("make file "+path, fdFile, unix.SYS_OPEN, p.str(path), unix.O_WRONLY|unix.O_CREAT|unix.O_CLOEXEC, 0o644)
	if content != "" {
		p.call("write file "+path, unix.SYS_WRITE, fdFile, p.str(content), uint64(len(content)))
	}
}

// accountFiles are the passwd and group files of a machine.
func accountFiles(root string, id int) (passwd, group string) {
	if _, err := os.Stat(filepath.Join(root, "etc/passwd")); err == nil {
		passwd = fmt.Sprintf("root:x:0:0:root:/root:/bin/sh\nmcc:x:%d:%d:mcc:%s:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n", id, id, vm.Home)
	}
	if _, err := os.Stat(filepath.Join(root, "etc/group")); err == nil {
		group = fmt.Sprintf("root:x:0:\nmcc:x:%d:\nnogroup:x:65534:\n", id)
	}
	return passwd, group
}
