package cmd

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"podium/pnml/diagnostic"
	"podium/vm"
	"podium/vm/guest/image"
	"podium/vm/libvirt"
	"podium/vm/sandbox"
)

// drivers is the registry of what a machine can be.
var drivers = map[string]func() (vm.Driver, error){
	"sandbox":         openSandbox,
	"libvirt":         func() (vm.Driver, error) { return libvirt.Open(libvirt.Options{}) },
	"libvirt-system":  func() (vm.Driver, error) { return libvirt.Open(libvirt.Options{URI: "qemu:///system"}) },
	"libvirt-session": func() (vm.Driver, error) { return libvirt.Open(libvirt.Options{URI: "qemu:///session"}) },
}

// showVariable names paths of this host, separated by colons, that runs in the
// sandbox see beside the usual ones: a Java below /opt, say.
const showVariable = "PODIUM_SHOW"

func openSandbox() (vm.Driver, error) {
	paths := filepath.SplitList(os.Getenv(showVariable))
	if err := sandbox.CheckShow(paths); err != nil {
		return nil, fmt.Errorf("variable %s: %w", showVariable, err)
	}
	open := sync.OnceValues(func() (*image.Store, error) { return image.OpenStore("") })
	return sandbox.Open(sandbox.Options{Show: paths, Tree: func(ctx context.Context, file string) (string, error) {
		store, err := open()
		if err != nil {
			return "", err
		}
		return store.Tree(ctx, file)
	}})
}

func driverNames() []string { return slices.Sorted(maps.Keys(drivers)) }

func openDriver(name string) (vm.Driver, error) {
	open, ok := drivers[name]
	if !ok {
		return nil, usageError{fmt.Errorf("%q is no driver%s", name, diagnostic.Instead(name, driverNames()))}
	}
	d, err := open()
	if err != nil {
		return nil, &vm.BootError{Err: err}
	}
	return d, nil
}
