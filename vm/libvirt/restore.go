//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"libvirt.org/go/libvirt"
)

// save writes the state of a stopped machine without its memory.
func (m *machine) save(ctx context.Context, file string) error {
	socket := filepath.Join(m.dir, "save")
	l, err := listen(socket)
	if err != nil {
		return err
	}
	defer l.Close()
	stop := context.AfterFunc(ctx, func() { l.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	written := make(chan error, 1)
	go func() {
		conn, err := l.AcceptUnix()
		if err != nil {
			written <- err
			return
		}
		defer conn.Close()
		f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			written <- err
			return
		}
		_, err = io.Copy(f, conn)
		written <- errors.Join(err, f.Close())
	}()
	if err := m.ignoreShared(); err != nil {
		return err
	}
	if err := m.monitor("migrate", map[string]any{"uri": "unix:" + socket}, nil); err != nil {
		return err
	}
	if err := m.awaitMigration(ctx); err != nil {
		return err
	}
	return <-written
}

// restore starts a machine from a template.
func (m *machine) restore(ctx context.Context, dom *domain, t *template) error {
	if err := t.touch(); err != nil {
		return err
	}
	dom.ram = &ram{file: t.ram()}
	if err := m.create(ctx, dom, libvirt.DOMAIN_START_PAUSED); err != nil {
		return err
	}
	if err := m.ignoreShared(); err != nil {
		return err
	}
	socket := filepath.Join(m.dir, "restore")
	if err := m.monitor("migrate-incoming", map[string]any{"uri": "unix:" + socket}, nil); err != nil {
		return err
	}
	if err := send(t.state(), socket); err != nil {
		return err
	}
	if err := m.awaitMigration(ctx); err != nil {
		return err
	}
	m.hello = t.Hello
	return m.domain.Resume()
}

// send writes a file to a socket.
func send(file, socket string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	_, err = io.Copy(conn, f)
	return errors.Join(err, conn.Close())
}

// ignoreShared leaves the file of the memory out of what is saved and restored.
func (m *machine) ignoreShared() error {
	type capability struct {
		Capability string `json:"capability"`
		State      bool   `json:"state"`
	}
	return m.monitor("migrate-set-capabilities", map[string]any{"capabilities": []capability{{"x-ignore-shared", true}}}, nil)
}

// awaitMigration waits until the state is saved or restored.
func (m *machine) awaitMigration(ctx context.Context) error {
	for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
		var now struct {
			Status string `json:"status"`
			Error  string `json:"error-desc"`
		}
		if err := m.monitor("query-migrate", nil, &now); err != nil {
			return err
		}
		switch now.Status {
		case "completed":
			return nil
		case "failed", "cancelled":
			return fmt.Errorf("the state could not be moved: %s", now.Error)
		}
	}
	return ctx.Err()
}

// monitor gives QEMU a command through libvirt.
func (m *machine) monitor(command string, arguments map[string]any, into any) error {
	request := map[string]any{"execute": command}
	if arguments != nil {
		request["arguments"] = arguments
	}
	b, err := json.Marshal(request)
	if err != nil {
		return err
	}
	reply, err := m.domain.QemuMonitorCommand(string(b), libvirt.DOMAIN_QEMU_MONITOR_COMMAND_DEFAULT)
	if err != nil {
		return err
	}
	var r struct {
		Return json.RawMessage `json:"return"`
		Error  *struct {
			Desc string `json:"desc"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(reply), &r); err != nil {
		return err
	}
	if r.Error != nil {
		return fmt.Errorf("%s: %s", command, r.Error.Desc)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(r.Return, into)
}
