package pnml

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
)

// writeRing writes a ring of stations with names, six arcs each, until the
// document has size bytes, and returns the number of stations.
func writeRing(w io.Writer, size int) int {
	b := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	written := 0
	write := func(parts ...any) {
		line = line[:0]
		for _, p := range parts {
			if n, ok := p.(int); ok {
				line = strconv.AppendInt(line, int64(n), 10)
			} else {
				line = append(line, p.(string)...)
			}
		}
		b.Write(line)
		written += len(line)
	}
	write(`<pnml xmlns="`, pnmlNamespace, `"><net id="ring" type="`, ptNetType, `"><page id="page">`, "\n")
	n := 0
	for ; written < size; n++ {
		write("      <place id=\"station_", n, "\">\n        <name>\n          <text>station_", n, "</text>\n        </name>\n        <initialMarking>\n          <text>1</text>\n        </initialMarking>\n      </place>\n")
		write("      <transition id=\"move_", n, "\">\n        <name>\n          <text>move_", n, "</text>\n        </name>\n      </transition>\n")
		for k := range 3 {
			write("      <arc id=\"arc", 6*n+2*k, "\" source=\"station_", max(0, n-k*k), "\" target=\"move_", n, "\">\n        <inscription>\n          <text>1</text>\n        </inscription>\n      </arc>\n")
			write("      <arc id=\"arc", 6*n+2*k+1, "\" source=\"move_", n, "\" target=\"station_", max(0, n-7*k), "\"/>\n")
		}
	}
	write("</page></net></pnml>\n")
	_ = b.Flush() // fails when the reader ended early, which then says why
	return n
}

// TestMemory reads a large net in a process of its own, with the pace of the
// garbage collector that checking models has, and asks the system for the peak:
// at most one and a half times the net and a constant.
func TestMemory(t *testing.T) {
	if size, err := strconv.Atoi(os.Getenv("PNML_MEMORY_TEST")); err == nil {
		readRing(t, size)
		return
	}
	if testing.Short() {
		t.Skip("reading a net of 1 GB takes long, and the race detector needs memory of its own")
	}
	const constant = 24 << 20
	for _, size := range []int{100 << 20, 1 << 30} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestMemory$", "-test.v")
		cmd.Env = append(os.Environ(), "PNML_MEMORY_TEST="+strconv.Itoa(size))
		out, err := cmd.CombinedOutput()
		var net, peak int
		if k := strings.Index(string(out), "net "); err != nil || k < 0 {
			t.Fatalf("%v\n%s", err, out)
		} else if _, err := fmt.Sscanf(string(out[k:]), "net %d peak %d", &net, &peak); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Logf("document of %d MB: net of %d MB, peak of the process %d MB", size>>20, net>>20, peak>>20)
		if peak > net+net/2+constant {
			t.Errorf("document of %d MB: the net has %d bytes, the peak was %d", size>>20, net, peak)
		}
	}
}

func readRing(t *testing.T, size int) {
	debug.SetGCPercent(25)
	r, w := io.Pipe()
	stations := make(chan int, 1)
	go func() {
		n := writeRing(w, size)
		w.Close()
		stations <- n
	}()
	doc, diags := Read(r, "ring")
	if n := <-stations; diags.Err() != nil || doc.Net.Places.Len() != n || doc.Net.Pre.Len()+doc.Net.Post.Len() < 4*n {
		t.Fatal(diags)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	peak, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Printf("net %d peak %d\n", m.HeapAlloc, peak<<10)
	runtime.KeepAlive(doc)
}
