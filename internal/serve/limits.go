package serve

import (
	"cmp"
	"net"
	"net/http"
	"sync"
	"time"
)

// The limits of what readers may ask for.
const (
	maxConnections = 256
	maxStreams     = 100      // of events
	maxHeader      = 16 << 10 // bytes of a request
	readTime       = 10 * time.Second
	idleTime       = 60 * time.Second
	writeTime      = 20 * time.Second // for each piece of an answer
	beat           = 15 * time.Second // between two signs of life on a stream where nothing happens
)

// fewListener closes connections that are too many, after a sentence.
type fewListener struct {
	net.Listener
	slots chan struct{}
}

func few(l net.Listener, n int) *fewListener { return &fewListener{l, make(chan struct{}, n)} }

func (l *fewListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.slots <- struct{}{}:
			return &countedConn{Conn: c, free: sync.OnceFunc(func() { <-l.slots })}, nil
		default:
		}
		const sentence = "Too many connections to this server: try again later.\n"
		_ = c.SetWriteDeadline(time.Now().Add(time.Second)) // it fits into the buffer of the kernel
		_, _ = c.Write([]byte("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 10\r\nContent-Type: text/plain\r\n\r\n" + sentence))
		_ = c.Close()
	}
}

type countedConn struct {
	net.Conn
	free func()
}

func (c *countedConn) Close() error {
	defer c.free()
	return c.Conn.Close()
}

// timely gives every piece of an answer its time, so that a long answer may take longer
// than a reader that takes nothing.
type timely struct {
	http.ResponseWriter
	control *http.ResponseController
	most    time.Duration
}

func (s *Server) inTime(w http.ResponseWriter) *timely {
	return &timely{w, http.NewResponseController(w), cmp.Or(s.o.patience, writeTime)}
}

func (t *timely) Write(p []byte) (int, error) {
	if err := t.control.SetWriteDeadline(time.Now().Add(t.most)); err != nil {
		return 0, err
	}
	return t.ResponseWriter.Write(p)
}

// flush sends what was written.
func (t *timely) flush() error {
	if err := t.control.SetWriteDeadline(time.Now().Add(t.most)); err != nil {
		return err
	}
	return t.control.Flush()
}
