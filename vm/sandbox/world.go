//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/sandbox/maker"
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

// describe describes the world of a machine to its maker, whose descriptors begin with
// the number first. It returns those that the maker needs: those in files, which are the
// caller's to close, and then those that the driver keeps.
func (m *machine) describe(first int) (files, kept []*os.File, err error) {
	d := m.driver
	entrances, dir, err := m.group.entrances()
	if err != nil {
		return nil, nil, err
	}
	next := first
	take := func() int { next++; return next - 1 }
	for range entrances {
		m.order.Entrances = append(m.order.Entrances, take())
	}
	if files = entrances; dir != nil {
		files = append(files, dir)
		m.order.Group = take()
	}
	w := &m.world
	*w = maker.World{Root: strings.TrimSuffix(m.view.root, "/"), Covered: m.view.covers(hidden(m.spec)), OwnInodes: d.ownInodes,
		Tool: m.spec.Tool, Writable: m.spec.Writable, UserNamespace: d.ordinary, User: m.user, FreshProc: d.freshProc, InitialRoot: d.initialRoot,
		Home: vm.Home[1:], ToolDir: vm.ToolDir[1:], InstanceDir: vm.InstanceDir[1:], ResultDir: vm.ResultDir[1:]}
	for _, s := range m.view.shown {
		w.Places = append(w.Places, s.Place)
	}
	if group := m.group.memory; group.known() {
		w.Group, w.GroupAt = string(group.parent), "sys/fs/cgroup"
		if !group.v2 {
			w.GroupAt += "/memory"
		}
	}
	w.Passwd, w.GroupFile = accountFiles(m.view.root, m.user)
	keep := func(dir string, number *int) (bool, error) {
		f, ok, err := d.mapFor(dir, m.user)
		if f != nil {
			kept, *number = append(kept, f), take()
		}
		return ok, err
	}
	if _, err := keep(w.Tool, &w.ToolMap); err != nil {
		return files, nil, err
	}
	if m.spec.Input != "" && d.overlay {
		able, err := keep(m.spec.Input, &w.InputMap)
		if err != nil {
			return files, nil, err
		}
		if able {
			w.Input = m.spec.Input
		}
	}
	return files, kept, nil
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

// describeJob completes what the maker has to know of the job.
func (r *run) describeJob() error {
	o := &r.order
	file := r.job.Command[0]
	if !path.IsAbs(file) {
		file = path.Join(vm.ToolDir, file)
	}
	o.Command = append([]string{file}, r.job.Command[1:]...)
	o.Env = vm.Environment(r.view.withVariables(r.job.Env))
	size := 0
	for _, s := range slices.Concat(o.Command, o.Env) {
		size += len(s) + maker.PerWord
	}
	if size > maker.MaxWords {
		return fmt.Errorf("command and environment need %d bytes, more than the %d that a machine takes: %w", size, maker.MaxWords, unix.E2BIG)
	}
	o.CPUs = r.spec.CPUs
	if r.driver.filters {
		o.Filter = refusalFilter()
	}
	o.Limits = r.processLimits()
	return r.limitDisk()
}
