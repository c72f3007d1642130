package guest

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"podium/vm"
)

func TestFrames(t *testing.T) {
	var b bytes.Buffer
	w := newWriter(&b)
	big := bytes.Repeat([]byte("x"), maxData*2+5)
	if n, err := (stream{w, kindStdout}).Write(big); n != len(big) || err != nil {
		t.Fatal(n, err)
	}
	if err := w.say(kindBeat, Beat{3, 4}); err != nil {
		t.Fatal(err)
	}
	r := reader{from: &b}
	var got []byte
	for range 3 {
		f, err := r.next()
		if err != nil || f.kind != kindStdout {
			t.Fatal(f.kind, err)
		}
		got = append(got, f.body...)
	}
	if !bytes.Equal(got, big) {
		t.Error("other bytes came")
	}
	f, err := r.next()
	var beat Beat
	if err != nil || f.decode(&beat) != nil || beat != (Beat{3, 4}) {
		t.Error(f, err)
	}
	if _, err := r.next(); err != io.EOF {
		t.Error(err)
	}
	if err := w.send(kindStdout, make([]byte, maxData+1)); err == nil {
		t.Error("a frame that is too large was sent")
	}
}

func TestBadFrames(t *testing.T) {
	good := "\x07pod\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00ok"
	for _, c := range []struct{ name, bytes, err string }{
		{"unknown kind", strings.Replace(good, "\x07", "\xf0", 1), "no frame"},
		{"kind 0", strings.Replace(good, "\x07", "\x00", 1), "no frame"},
		{"no mark", strings.Replace(good, "pod", "pot", 1), "no frame"},
		{"too large", strings.Replace(good, "\x02\x00\x00", "\x01\x00\x01", 1), "more than"},
		{"cut off", good[:len(good)-1], "unexpected EOF"},
		{"cut off before the body", good[:headerSize], "unexpected EOF"},
		{"cut off in the header", good[:5], "unexpected EOF"},
	} {
		r := reader{from: strings.NewReader(c.bytes)}
		if _, err := r.next(); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte("\x07pod\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00ok\x09pod\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := reader{from: bytes.NewReader(b)}
		var again bytes.Buffer
		for {
			fr, err := r.next()
			if err != nil {
				break
			}
			if len(fr.body) > maxMessage || len(fr.body) > len(b) {
				t.Fatalf("a frame of %d bytes", len(fr.body))
			}
			// What is read can be written.
			if err := newWriter(&again).send(fr.kind, fr.body); err != nil {
				t.Fatal(err)
			}
			var m endedMessage
			if fr.decode(&m) == nil && fr.body == nil {
				t.Fatal("nothing was decoded")
			}
		}
		if again.Len() > len(b) {
			t.Fatal("more was read than there is")
		}
	})
}

// archive makes a tar stream.
func archive(t testing.TB, headers ...tar.Header) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, h.Size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUnpack(t *testing.T) {
	for _, c := range []struct {
		name    string
		headers []tar.Header
		err     string
	}{
		{"files", []tar.Header{{Typeflag: tar.TypeReg, Name: "a/b/c", Size: 600}, {Typeflag: tar.TypeReg, Name: "d"}}, ""},
		{"parent", []tar.Header{{Typeflag: tar.TypeReg, Name: "../x"}}, "no file"},
		{"absolute", []tar.Header{{Typeflag: tar.TypeReg, Name: "/etc/x"}}, "no file"},
		{"link", []tar.Header{{Typeflag: tar.TypeSymlink, Name: "x", Linkname: "/etc"}}, "no file"},
		{"twice", []tar.Header{{Typeflag: tar.TypeReg, Name: "x"}, {Typeflag: tar.TypeReg, Name: "x"}}, "exists"},
		{"too many", []tar.Header{{Typeflag: tar.TypeReg, Name: "1"}, {Typeflag: tar.TypeReg, Name: "2"}, {Typeflag: tar.TypeReg, Name: "3"}}, "more than is allowed"},
		{"too much", []tar.Header{{Typeflag: tar.TypeReg, Name: "x", Size: 1001}}, "more than is allowed"},
	} {
		dir := t.TempDir()
		err := unpack(bytes.NewReader(archive(t, c.headers...)), &vm.Job{SideOut: dir, SideLimit: vm.SideLimit{Files: 2}, Limits: vm.Limits{Disk: 1000}})
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.err == "" {
			if st, err := os.Stat(filepath.Join(dir, "a/b/c")); err != nil || st.Size() != 600 {
				t.Error(err)
			}
		}
	}
}

// TestUnpackerReportsFailure tells the writer of a full disk's error.
func TestUnpackerReportsFailure(t *testing.T) {
	u := newUnpacker(&vm.Job{SideOut: filepath.Join(t.TempDir(), "missing")})
	for i := 0; ; i++ {
		if _, err := u.Write(make([]byte, 1<<10)); errors.Is(err, os.ErrNotExist) {
			break
		}
		if i > 100 {
			t.Fatal("no error")
		}
	}
	if err := u.finish(); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// FuzzRun: whatever a guest sends, the host's record of the run is one that may be shown, of
// a time that has been.
func FuzzRun(f *testing.F) {
	said := func(frames ...func(*writer) error) {
		var b bytes.Buffer
		w := newWriter(&b)
		for _, send := range frames {
			if err := send(w); err != nil {
				f.Fatal(err)
			}
		}
		f.Add(b.Bytes())
	}
	frame := func(k kind, body string) func(*writer) error {
		return func(w *writer) error { return w.send(k, []byte(body)) }
	}
	started := frame(kindStarted, "")
	said(started, frame(kindStdout, "FORMULA x TRUE\n"), frame(kindBeat, `{"CPUTime":5,"Memory":7}`), frame(kindResults, "x"),
		frame(kindEnded, `{"Outcome":{"termination":"exited","wall_us":9223372036854775807,"measured_by":"cgroup2","warnings":["\u009b"]},"Delay":9223372036854775807}`))
	said(frame(kindEnded, `{"Outcome":{"termination":"exited"},"Delay":4611686018427387904}`))
	said(started, frame(kindAtLimit, `{}`), started, frame(kindEnded, `{"Cancelled":true}`))
	f.Fuzz(func(t *testing.T, sent []byte) {
		ours, theirs := net.Pipe()
		defer ours.Close()
		go func() { _, _ = io.Copy(io.Discard, theirs) }()
		go func() {
			_, _ = theirs.Write(sent)
			theirs.Close()
		}()
		began := time.Now()
		var out bytes.Buffer
		o, err := NewHost(ours).Run(t.Context(), vm.Job{Command: []string{"x"}, Limits: vm.Limits{Output: 5}, Stdout: &out}, &scriptedControl{})
		took := time.Since(began)
		if out.Len() > 5 || o.OutputBytes != int64(out.Len()) || min(int64(o.WallTime), int64(o.CPUTime), o.MemoryPeak) < 0 || o.WallTime.Duration() > took+wallSlack(took) || !o.Started.IsZero() && o.Started.Before(began) ||
			err == nil && (o.Termination == "" || o.Started.IsZero()) {
			t.Errorf("%+v, %v, %q", o, err, &out)
		}
		for _, text := range append(o.Warnings, o.Measured, string(o.Termination)) {
			if strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) {
				t.Errorf("a text that cannot be shown: %q", text)
			}
		}
	})
}

// scriptedControl is a host that sees a limit exceeded, or CPU time left: so much each
// time that it is asked, and then no more.
type scriptedControl struct {
	why  vm.Termination
	left []time.Duration
}

func (c *scriptedControl) Check() vm.Termination { return c.why }

func (c *scriptedControl) Left() (left time.Duration) {
	if len(c.left) > 0 {
		left, c.left = c.left[0], c.left[1:]
	}
	return left
}
