//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"libvirt.org/go/libvirt"

	"podium/vm"
	"podium/vm/guest/image"
)

// Driver makes machines. It implements vm.Driver.
type Driver struct {
	options  Options
	name     string // among all drivers of this host: the process that owns it, and a number
	dir      string // everything that lives as long as the driver
	store    *image.Store
	conn     *libvirt.Connect
	boot     image.Boot
	kvm      kvmState
	machines atomic.Int64

	templates templates

	bootErr  error // why no machine can be booted at all
	closing  sync.Once
	closeErr error
}

var _ vm.Driver = (*Driver)(nil)

var drivers atomic.Int64

// Open connects to the hypervisor, makes what guests boot, and removes what
// drivers that are dead left behind. A host that cannot run machines is no
// error here: Probe and Boot say why.
func Open(o Options) (*Driver, error) {
	d := &Driver{options: o}
	if err := d.open(); err != nil {
		d.bootErr = err
	}
	return d, nil
}

func (d *Driver) open() (err error) {
	if runtime.GOARCH != "amd64" {
		return fmt.Errorf("virtual machines need an x86-64 processor, this is %s", runtime.GOARCH)
	}
	me, err := self()
	if err != nil {
		return err
	}
	parent := stateDir(d.options.Dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	if err := sweep(parent); err != nil {
		return err
	}
	d.name = fmt.Sprintf("%s-%d", me, drivers.Add(1))
	d.dir = filepath.Join(parent, d.name)
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		return err
	}
	if d.store, err = image.OpenStore(d.options.Store); err != nil {
		return err
	}
	if d.boot, err = d.store.Boot(); err != nil {
		return err
	}
	if d.options.URI == "" {
		if err := startReaper(); err != nil {
			return err
		}
	}
	if err := d.sweepTemplates(); err != nil {
		return err
	}
	if d.options.URI == "" {
		d.conn, err = connectEmbedded(filepath.Join(parent, me.String()+"-0"), d.store.Path("libvirt"))
	} else {
		d.conn, err = connect(d.options.URI)
	}
	if err != nil {
		return err
	}
	if err := d.findEmulator(); err != nil {
		return err
	}
	if err := d.sweepDomains(); err != nil {
		return err
	}
	return d.chooseAccelerator()
}

// findEmulator lets libvirt find out what QEMU can do. It starts it for that, and
// on a busy host sometimes loses patience.
func (d *Driver) findEmulator() (err error) {
	for range 3 {
		if _, err = d.conn.GetVersion(); err == nil {
			return nil
		}
	}
	return fmt.Errorf(notInstalled, err)
}

// sweepDomains destroys the domains of dead owners that a daemon still has.
func (d *Driver) sweepDomains() error {
	all, err := d.conn.ListAllDomains(0)
	if err != nil {
		return err
	}
	var errs []error
	for _, dom := range all {
		name, err := dom.GetName()
		if o, ok := ownerOf(name); err == nil && ok && o.Dead() {
			errs = append(errs, ignoreGone(dom.Destroy()))
		}
		errs = append(errs, dom.Free())
	}
	return errors.Join(errs...)
}

// ignoreGone takes the errors about a domain that is not there or not running
// for what they are: what we wanted.
func ignoreGone(err error) error {
	if errors.Is(err, libvirt.ERR_NO_DOMAIN) || errors.Is(err, libvirt.ERR_OPERATION_INVALID) {
		return nil
	}
	return err
}

// Boot starts a virtual machine and waits until its agent is ready for the job.
func (d *Driver) Boot(ctx context.Context, spec vm.Spec) (vm.Machine, error) {
	if d.bootErr != nil {
		return nil, &vm.BootError{Err: d.bootErr}
	}
	m, err := d.start(ctx, spec, d.accelerator())
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Close releases what the driver holds.
func (d *Driver) Close() error {
	d.closing.Do(func() {
		var errs []error
		switch {
		case d.conn == nil:
		case d.options.URI == "":
			errs = append(errs, leaveEmbedded())
		default:
			_, err := d.conn.Close()
			errs = append(errs, err)
		}
		if d.dir != "" {
			errs = append(errs, os.RemoveAll(d.dir))
		}
		d.closeErr = errors.Join(errs...)
	})
	return d.closeErr
}

// patience is how long a boot may take.
func (d *Driver) patience(accelerator string) time.Duration {
	switch {
	case d.options.BootPatience > 0:
		return d.options.BootPatience
	case accelerator == "kvm":
		return time.Minute
	}
	return 5 * time.Minute
}
