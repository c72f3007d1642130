//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"podium/vm/guest"
)

// Templates.
//
// Booting a kernel takes as long as many a run. So a machine of each shape
// (cores, memory, number and size of disks) is booted once, up to where its
// agent has said hello and knows of no run, and saved: its memory is a file, the
// rest of its state another. A new machine maps that memory privately, so that
// nothing is copied and nothing that it writes is seen by anyone else, and goes
// on from there. It has the disks of its own run, which nobody has read before;
// the setup sets its clock and gives it random numbers of its own.
//
// Note: what all machines of a template share is what was chosen while the
// kernel booted (where it lies in memory, keys of its hash tables, the time
// since its start), as is the case for machines that boot the same kernel with
// nokaslr in nearly every respect.
//
// Note: libvirt's own virDomainSave copies all memory in use, for 16 GB some
// 400 MB of the kernel's tables: restoring that is four times slower. So QEMU is
// told through libvirt, on its command line and by its monitor, to keep the
// memory in a file that the saved state leaves out (x-ignore-shared).

// ram is a file that holds the memory of a machine.
type ram struct {
	file   string
	shared bool // what the machine writes goes to the file: it will be a template
}

// arguments are QEMU's, beside what libvirt gives it.
func (r *ram) arguments(memory int64) []string {
	share := map[bool]string{true: "on", false: "off"}[r.shared]
	args := []string{"-object", fmt.Sprintf("memory-backend-file,id=podium,size=%d,mem-path=%s,share=%s", memory, r.file, share),
		"-machine", "memory-backend=podium"}
	if !r.shared {
		args = append(args, "-incoming", "defer")
	}
	return args
}

// template is a saved machine.
type template struct {
	Hello guest.Hello
	Boot  time.Duration // that the machine took to say hello
	dir   string
	shape *shape
}

func (t *template) ram() string { return filepath.Join(t.dir, "ram") }

func (t *template) state() string { return filepath.Join(t.dir, "state") }

// templates are those of a driver, by shape.
type templates struct {
	mu  sync.Mutex
	all map[string]*shape
}

// shape is what machines have in common that can have one template.
type shape struct {
	mu     sync.Mutex
	tried  bool
	made   *template
	reason error // why there is none, or why it is not used
	slow   int   // restorations in a row that took longer than the boot
}

// maxSlow is how often restoring may be slower than booting before it is given
// up.
const maxSlow = 3

// shape finds the shape of a domain.
func (d *Driver) shape(dom *domain) (*shape, string, error) {
	key, err := d.shapeKey(dom)
	if err != nil {
		return nil, "", err
	}
	d.templates.mu.Lock()
	defer d.templates.mu.Unlock()
	if d.templates.all == nil {
		d.templates.all = map[string]*shape{}
	}
	if d.templates.all[key] == nil {
		d.templates.all[key] = &shape{}
	}
	return d.templates.all[key], key, nil
}

// shapeKey is a digest of all that a template depends on: the domain without
// what is of one run, the sizes of its disks, the host and its programs.
func (d *Driver) shapeKey(dom *domain) (string, error) {
	qemu, err := d.conn.GetVersion()
	if err != nil {
		return "", err
	}
	library, err := d.conn.GetLibVersion()
	if err != nil {
		return "", err
	}
	common := *dom
	common.name, common.cpus, common.nodes, common.agentSocket, common.consoleSocket, common.disks = "template", nil, nil, "", "", nil
	common.ram = nil
	h := sha256.New()
	for _, one := range dom.disks {
		info, err := os.Stat(one.file)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(h, info.Size())
		one.file = ""
		common.disks = append(common.disks, one)
	}
	fmt.Fprintln(h, templateVersion, qemu, library, d.options.URI)
	h.Write([]byte(common.xml()))
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

// templateVersion changes when templates are made in another way.
const templateVersion = 1

// hostBoot names the time that the host has been up: a template is not used
// beyond it.
func hostBoot() (string, error) {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(b)), err
}

// template returns the template for a domain, made when it is not there yet, or
// the reason why the machine has to be booted.
func (d *Driver) template(ctx context.Context, dom *domain) (*template, error) {
	s, key, err := d.shape(dom)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.tried {
		if s.made, s.reason = d.findTemplate(ctx, key, dom); s.reason == nil {
			s.made.shape = s
		}
		s.tried = ctx.Err() == nil // a boot that was given up says nothing
	}
	return s.made, s.reason
}

// restored tells how restoring a machine of the template went. Whichever is
// faster, restoring or booting, will be done the next time.
func (t *template) restored(took time.Duration, failure error, only bool) {
	s := t.shape
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slow++; took < t.Boot {
		s.slow = 0
	}
	switch {
	case failure != nil:
		s.reason = fmt.Errorf("a machine could not be restored: %w", failure)
	case s.slow >= maxSlow && !only:
		s.reason = fmt.Errorf("restoring takes longer (%v) than booting (%v)", took, t.Boot)
	}
}

// reason tells why machines are booted, nil where they are restored.
func (t *templates) reason() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.all {
		s.mu.Lock()
		reason := s.reason
		s.mu.Unlock()
		if reason != nil {
			return reason
		}
	}
	return nil
}

// findTemplate returns the template of the store, which all drivers of this host
// share.
func (d *Driver) findTemplate(ctx context.Context, key string, dom *domain) (*template, error) {
	host, err := hostBoot()
	if err != nil {
		return nil, err
	}
	dir := d.store.Path("template-" + host + "-" + key)
	if t, err := openTemplate(dir); err == nil {
		return t, nil
	}
	making := d.store.Path(d.name + "-making-" + key)
	if err := os.Mkdir(making, 0o700); err != nil {
		return nil, err
	}
	defer os.RemoveAll(making)
	if err := d.makeTemplate(ctx, making, *dom); err != nil {
		return nil, fmt.Errorf("no template could be made: %w", err)
	}
	// Another process may have been faster.
	if err := os.Rename(making, dir); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	return openTemplate(dir)
}

func openTemplate(dir string) (*template, error) {
	b, err := os.ReadFile(filepath.Join(dir, "template.json"))
	if err != nil {
		return nil, err
	}
	t := &template{dir: dir}
	if err := json.Unmarshal(b, t); err != nil {
		return nil, err
	}
	return t, errors.Join(t.touch(), exists(t.ram()), exists(t.state()))
}

// touch says that the template is in use.
func (t *template) touch() error {
	now := time.Now()
	return os.Chtimes(t.dir, now, now)
}

func exists(file string) error {
	_, err := os.Stat(file)
	return err
}

// templateAge is how long a template is kept that nobody uses.
const templateAge = 24 * time.Hour

// sweepTemplates removes templates that were made before the host started or
// have not been used for long, and what dead drivers were making.
func (d *Driver) sweepTemplates() error {
	host, err := hostBoot()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(d.store.Path(""))
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		name := e.Name()
		info, err := e.Info()
		if err != nil || !e.IsDir() {
			continue // gone, or none of ours
		}
		owner, owned := ownerOf(name)
		old := !strings.HasPrefix(name, "template-"+host) || time.Since(info.ModTime()) > templateAge
		if owned && owner.Dead() || strings.HasPrefix(name, "template-") && old {
			errs = append(errs, os.RemoveAll(d.store.Path(name)))
		}
	}
	return errors.Join(errs...)
}

// makeTemplate boots a machine and saves it. It has the disks of a run, but has
// read nothing of them when it is saved.
func (d *Driver) makeTemplate(ctx context.Context, dir string, dom domain) (err error) {
	m := d.newMachine("template")
	defer func() { err = errors.Join(err, m.Close()) }()
	t := &template{dir: dir}
	dom.cpus, dom.nodes, dom.ram = nil, nil, &ram{file: t.ram(), shared: true}
	began := time.Now()
	if err := m.prepare(&dom); err != nil {
		return err
	}
	if err := m.create(ctx, &dom, 0); err != nil {
		return err
	}
	if t.Hello, err = m.host.Hello(ctx); err != nil {
		return err
	}
	t.Boot = time.Since(began)
	if err := m.domain.Suspend(); err != nil {
		return err
	}
	if err := m.save(ctx, t.state()); err != nil {
		return err
	}
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "template.json"), b, 0o600)
}
