//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// consoleSize is how much of a console's end is kept, in bytes.
const consoleSize = 16 << 10

// console keeps the end of what a guest's kernel prints.
type console struct {
	listener *net.UnixListener
	there    chan struct{} // closed when the machine has connected
	ended    chan struct{}

	mu   sync.Mutex
	last []byte
	conn *net.UnixConn
}

// listen makes a socket that the machine connects to.
func listen(path string) (*net.UnixListener, error) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen at %s: %w", path, err)
	}
	return l, nil
}

// newConsole listens for the console of one machine.
func newConsole(path string) (*console, error) {
	l, err := listen(path)
	if err != nil {
		return nil, err
	}
	c := &console{listener: l, there: make(chan struct{}), ended: make(chan struct{})}
	go c.read()
	return c, nil
}

func (c *console) read() {
	defer close(c.ended)
	conn, err := c.listener.AcceptUnix()
	if err != nil {
		return
	}
	c.mu.Lock()
	c.conn = conn
	c.mu.Unlock()
	close(c.there)
	defer conn.Close()
	buffer := make([]byte, 4096)
	for {
		n, err := conn.Read(buffer)
		c.mu.Lock()
		c.last = append(c.last, buffer[:n]...)
		if over := len(c.last) - consoleSize; over > 0 {
			c.last = append(c.last[:0], c.last[over:]...)
		}
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// tail returns the last words.
func (c *console) tail() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return printable(c.last)
}

// accepted waits until the machine has connected.
func (c *console) accepted(ctx context.Context) (*net.UnixConn, error) {
	select {
	case <-c.there:
		return c.conn, nil
	case <-c.ended:
		return nil, errors.New("the machine ended before it said anything")
	case <-ctx.Done():
		return nil, fmt.Errorf("the machine did not connect: %w", ctx.Err())
	}
}

// wait waits until the machine has closed its console.
func (c *console) wait(patience time.Duration) {
	select {
	case <-c.ended:
	case <-time.After(patience):
	}
}

func (c *console) close() error {
	err := c.listener.Close()
	c.mu.Lock()
	if c.conn != nil {
		c.conn.Close()
	}
	c.mu.Unlock()
	<-c.ended
	return err
}
