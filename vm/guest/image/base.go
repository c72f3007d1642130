package image

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/programs"
	"podium/vm"
	"podium/vm/guest"
)

// BusyboxPackage is the Debian package with a static busybox.
const BusyboxPackage = "busybox-static"

// busyboxBase is the base that a guest has in its initial file system: one
// static program that is a shell and a few hundred commands.
func busyboxBase() ([]entry, error) {
	program, err := exec.LookPath("busybox")
	if err == nil && !isStatic(program) {
		err = errors.New(program + " is not static")
	}
	if err != nil {
		return nil, fmt.Errorf("the base of guests is a static busybox (%w): on Debian, apt-get install %s", err, BusyboxPackage)
	}
	info, err := os.Stat(program)
	if err != nil {
		return nil, err
	}
	list, err := programs.Command(context.Background(), program, "--list-full").Output()
	if err != nil {
		return nil, fmt.Errorf("ask busybox for its commands: %w", err)
	}
	entries := accounts()
	for _, dir := range []string{"bin", "lib", "sbin", "usr", "usr/bin", "usr/sbin"} {
		entries = append(entries, dirEntry(dir, 0o755))
	}
	busybox := fileEntry("bin/busybox", program, info, 0)
	busybox.mode = 0o755
	entries = append(entries, busybox)
	names := strings.Fields(string(list))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if !filepath.IsLocal(name) || name == "bin/busybox" || !slices.Contains([]string{"bin", "sbin", "usr/bin", "usr/sbin"}, path.Dir(name)) {
			continue
		}
		entries = append(entries, linkEntry(name, "/bin/busybox"))
	}
	return entries, nil
}

// accounts are the files in which programs look up users.
func accounts() []entry {
	passwd := fmt.Sprintf("root:x:0:0:root:/root:/bin/sh\nmcc:x:%d:%d:mcc:%s:/bin/sh\n", guest.User, guest.User, vm.Home)
	group := fmt.Sprintf("root:x:0:\nmcc:x:%d:\n", guest.User)
	return []entry{dirEntry("etc", 0o755), dataEntry("etc/passwd", 0o644, []byte(passwd)), dataEntry("etc/group", 0o644, []byte(group))}
}

// isStatic reports whether a program needs no other file to run.
func isStatic(program string) bool {
	f, err := elf.Open(program)
	if err != nil {
		return false
	}
	defer f.Close()
	return !slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
}
