package cmd

import (
	"fmt"
	"maps"
	"slices"

	"podium/vm"
	"podium/vm/libvirt"
	"podium/vm/sandbox"
)

// drivers is the registry of what a machine can be.
var drivers = map[string]func() (vm.Driver, error){
	"sandbox":         func() (vm.Driver, error) { return sandbox.Open(sandbox.Options{}) },
	"libvirt":         func() (vm.Driver, error) { return libvirt.Open(libvirt.Options{}) },
	"libvirt-system":  func() (vm.Driver, error) { return libvirt.Open(libvirt.Options{URI: "qemu:///system"}) },
	"libvirt-session": func() (vm.Driver, error) { return libvirt.Open(libvirt.Options{URI: "qemu:///session"}) },
}

func driverNames() []string { return slices.Sorted(maps.Keys(drivers)) }

func openDriver(name string) (vm.Driver, error) {
	open, ok := drivers[name]
	if !ok {
		return nil, &vm.BootError{Err: fmt.Errorf("this build of podium has no driver %q", name)}
	}
	d, err := open()
	if err != nil {
		return nil, &vm.BootError{Err: err}
	}
	return d, nil
}
