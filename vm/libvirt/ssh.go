//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"podium/vm/guest/image"
)

// Patience with a system's ssh.
const (
	knockPause      = 250 * time.Millisecond
	greetPatience   = 2 * time.Second  // until it says who it is; before its system listens nobody does
	slowKnock       = 5                // every so many times that patience is so many times as long, for slow systems
	silence         = time.Minute      // while it is logged in to; a name server that nobody reaches takes part of it
	refusalPatience = 30 * time.Second // systems that are starting refuse users that they will take
	alivePause      = 5 * time.Second
)

// loginConfig says who logs in.
func loginConfig(s *image.System) (*ssh.ClientConfig, error) {
	secure, old := ssh.SupportedAlgorithms(), ssh.InsecureAlgorithms()
	c := &ssh.ClientConfig{
		User: s.User,
		// The machine has just been made and is known by its port on this host's
		// loopback, which its own process holds: there is nobody to be mistaken
		// for it, and no key that it could have had before.
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		// Disks are submitted that are ten years old. The first ones are the
		// cheapest for a machine that is emulated.
		HostKeyAlgorithms: slices.Concat([]string{ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256}, secure.HostKeys, old.HostKeys),
		Config: ssh.Config{
			KeyExchanges: slices.Concat(secure.KeyExchanges, old.KeyExchanges),
			Ciphers:      slices.Concat(secure.Ciphers, old.Ciphers),
			MACs:         slices.Concat(secure.MACs, old.MACs),
		},
	}
	if s.Key != "" {
		key, err := ssh.ParsePrivateKey([]byte(s.Key))
		if locked := (*ssh.PassphraseMissingError)(nil); errors.As(err, &locked) {
			return nil, errors.New("the key needs a passphrase: make a copy without (ssh-keygen -p -N '' -f COPY)")
		} else if err != nil {
			return nil, fmt.Errorf("this is no private key (the file without .pub is): %w", err)
		}
		c.Auth = append(c.Auth, ssh.PublicKeys(key))
	}
	if s.Password != "" {
		c.Auth = append(c.Auth, ssh.Password(s.Password), ssh.KeyboardInteractive(func(_, _ string, questions []string, _ []bool) ([]string, error) {
			return slices.Repeat([]string{s.Password}, len(questions)), nil
		}))
	}
	return c, nil
}

// errRefused says that a system does not let its user in.
var errRefused = errors.New("ssh refuses the user: is the key, or the password, that of the disk?")

// login tries to log in until it succeeds or the system can no longer answer.
func (m *machine) login(ctx context.Context) (*ssh.Client, error) {
	config, err := loginConfig(m.system.System)
	if err != nil {
		return nil, err
	}
	client, err := login(ctx, m.system.address, config, refusalPatience, m.unbootable)
	switch s := m.system; {
	case errors.Is(err, errRefused):
		return nil, fmt.Errorf("%s: %w", s.User, err)
	case ctx.Err() != nil && strings.Contains(err.Error(), "ssh: handshake failed"):
		return nil, fmt.Errorf("something answers at port 22 of the disk's system, but not as ssh does: %w", err)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("no ssh answered at port 22 of the disk's system: does it start one, and ask for its address by DHCP on the first network device? "+
			"The disk is connected by %s, the network device is of the kind %s (--disk-bus and --network choose others) (%w)", s.Bus, s.Network, err)
	}
	return client, err
}

// login tries to log in at an address until it succeeds, it has been refused for a time, or
// it is hopeless.
func login(ctx context.Context, address string, config *ssh.ClientConfig, patience time.Duration, hopeless func() error) (*ssh.Client, error) {
	var refused time.Time // first
	for n := 1; ; n++ {
		greeting := greetPatience
		if n%slowKnock == 0 {
			greeting *= slowKnock
		}
		client, err := knock(ctx, address, config, greeting)
		if err == nil {
			go keepAlive(client)
			return client, nil
		}
		if strings.Contains(err.Error(), "unable to authenticate") {
			if refused.IsZero() {
				refused = time.Now()
			}
			if time.Since(refused) >= patience {
				return nil, fmt.Errorf("%w (%w)", errRefused, err)
			}
		}
		if why := hopeless(); why != nil {
			return nil, why
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w; %w", ctx.Err(), err)
		case <-time.After(knockPause):
		}
	}
}

// knock tries to log in once.
func knock(ctx context.Context, address string, config *ssh.ClientConfig, greeting time.Duration) (*ssh.Client, error) {
	conn, err := (&net.Dialer{Timeout: greeting}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	l := &line{Conn: conn, in: bufio.NewReader(conn)}
	// QEMU takes every connection, and breaks those that nobody in the machine
	// wants.
	err = conn.SetReadDeadline(time.Now().Add(greeting))
	if err == nil {
		_, err = l.in.Peek(1)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	c, channels, requests, err := ssh.NewClientConn(l, address, config)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return ssh.NewClient(c, channels, requests), nil
}

// line is a connection that breaks when nothing has been heard for long.
type line struct {
	net.Conn
	in *bufio.Reader
}

func (l *line) Read(b []byte) (int, error) {
	if err := l.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return 0, err
	}
	return l.in.Read(b)
}

// keepAlive lets a system that lives say so, until its connection ends.
func keepAlive(client *ssh.Client) {
	for {
		if _, _, err := client.SendRequest("keepalive@openssh.com", true, nil); err != nil {
			return
		}
		time.Sleep(alivePause)
	}
}

// command runs a command of ours, with something to read.
func (s *system) command(ctx context.Context, command string, in io.Reader, out io.Writer) error {
	session, err := s.client.NewSession()
	if err != nil {
		return err
	}
	defer session.Close()
	var said strings.Builder
	session.Stdin, session.Stdout, session.Stderr = in, out, &capped{&said, 4 << 10}
	// A session waits for the system's word that it is closed.
	stop := context.AfterFunc(ctx, func() { s.client.Close() })
	defer stop()
	if err := session.Run(command); err != nil {
		return errors.Join(ctx.Err(), fmt.Errorf("%w: %s", err, printable([]byte(said.String()))))
	}
	return nil
}

// capped takes the beginning of what is written to it.
type capped struct {
	to   *strings.Builder
	left int
}

func (c *capped) Write(b []byte) (int, error) {
	n := min(len(b), c.left)
	c.left -= n
	c.to.Write(b[:n])
	return len(b), nil
}

// bring makes a directory of the host ("" for an empty one) one of the user's in
// the machine, and others there empty.
func (s *system) bring(ctx context.Context, from, to string, empty ...string) error {
	dirs := strings.Join(append(empty, to), " ")
	r, w := io.Pipe()
	defer r.Close()
	go func() { w.CloseWithError(image.WriteTree(w, from)) }()
	return s.command(ctx, fmt.Sprintf("rm -rf %s && mkdir -p %s && tar -xf - -C %s", dirs, dirs, to), r, nil)
}
