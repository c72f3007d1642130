//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/guest"
	"podium/vm/guest/image"
)

// TestDisagreements holds the guest's figures against the host's.
func TestDisagreements(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		guest, host          time.Duration
		guestMemory, hostMem int64
		want                 int
	}{
		{10 * s, 10 * s, 1 << 20, 1 << 28, 0},
		{10 * s, 9910 * time.Millisecond, 1 << 20, 1 << 28, 0}, // within a hundredth
		{10 * s, 9890 * time.Millisecond, 1 << 20, 1 << 28, 1},
		{10 * s, 9 * s, 1 << 20, 1 << 28, 1},
		{10 * time.Millisecond, 1 * time.Millisecond, 1 << 20, 1 << 28, 0}, // within 10 ms
		{12 * time.Millisecond, 1 * time.Millisecond, 1 << 20, 1 << 28, 1},
		{10 * s, 16 * s, 1 << 20, 1 << 28, 0},
		{10 * s, 18 * s, 1 << 20, 1 << 28, 1},
		{10 * s, 10 * s, 1 << 29, 1 << 28, 1},
		{40 * s, 10 * s, 1 << 29, 1 << 28, 2},
		{10 * s, 0, 0, 0, 1},
	} {
		control := control{cpu: c.host, memory: c.hostMem}
		if got := control.disagreements(vm.Outcome{CPUTime: c.guest, MemoryPeak: c.guestMemory}); len(got) != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestControl reads this process' own figures.
func TestControl(t *testing.T) {
	began, err := cpuTime(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for {
		if now, err := cpuTime(os.Getpid()); err != nil || now > began+20*time.Millisecond {
			break
		}
	}
	c := control{pid: os.Getpid(), before: began, limits: vm.Limits{CPUTime: time.Nanosecond}}
	if why := c.check(); why != "" || c.cpu < 20*time.Millisecond || c.memory < 1<<20 {
		t.Errorf("%q, %+v", why, c)
	}
	c.before -= slackTime + time.Second
	if why := c.check(); why != vm.OutOfCPU {
		t.Errorf("%q, %+v", why, c)
	}
	if _, err := cpuTime(100_000_000); err == nil {
		t.Error("a process that is not there has CPU time")
	}
}

// TestDomain writes names that are not XML into XML.
func TestDomain(t *testing.T) {
	d := domain{name: "podium-1-2-a<b>&'c", kernel: "/k", initramfs: "/i", accelerator: "tcg", cores: 2, cpus: []int{3, 5}, memory: 1 << 30,
		disks: []disk{{guest.Disk{Serial: "tool"}, "/t'>", ""}}, agentSocket: "/a", consoleSocket: "/c"}
	var texts []string
	for dec := xml.NewDecoder(strings.NewReader(d.xml())); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.CharData:
			texts = append(texts, string(token))
		case xml.StartElement:
			for _, a := range token.Attr {
				texts = append(texts, a.Value)
			}
			if token.Name.Local == "interface" {
				t.Error("the machine has a network device")
			}
		}
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{d.name, "/t'>", "1048576", "qemu", "\n5\n", "3,5"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in %s", want, d.xml())
		}
	}
	d.accelerator = "kvm"
	if !strings.Contains(d.xml(), "host-passthrough") {
		t.Error("KVM does not show the host's processor")
	}
}

// TestMemory wants whole MiB of every machine, which libvirt and QEMU agree about, and
// no less than the job's.
func TestMemory(t *testing.T) {
	for _, job := range []int64{0, 1, 1 << 20, 512_000_000, 2_000_000_000, 16_000_000_000, 16 << 30, 1<<40 - 1} {
		d := domain{cores: 1, memory: machineMemory(job), ram: &ram{file: "/r"}}
		if d.memory%(1<<20) != 0 || d.memory < job+memoryMargin {
			t.Errorf("%d bytes for a job of %d", d.memory, job)
		}
		text := d.xml()
		for _, want := range []string{fmt.Sprintf("<memory unit='KiB'>%d</memory>", d.memory>>10), fmt.Sprintf("size=%d,", d.memory)} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in %s", want, text)
			}
		}
	}
	if got := wholeMegabytes(16_000_000_000); got != 15259<<20 {
		t.Errorf("%d bytes", got)
	}
}

// TestSystemDomain looks at the one network device of a machine that boots its own
// system: it reaches nothing, and is reached from this host alone.
func TestSystemDomain(t *testing.T) {
	for _, network := range image.Networks {
		for _, bus := range image.Buses {
			d := domain{name: "own", accelerator: "tcg", cores: 1, memory: 1 << 30, consoleSocket: "/c",
				system: &system{System: &image.System{Bus: bus, Network: network}, dir: "/o&"}}
			text := d.xml()
			if err := xml.Unmarshal([]byte(text), new(struct{})); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text, "<interface") || strings.Count(text, "netdev=") != 1 || strings.Count(text, "-netdev") != 1 ||
				!strings.Contains(text, "user,id=podium,restrict=on,ipv6=off,hostfwd=tcp:127.0.0.1:0-:22") {
				t.Errorf("the network is another: %s", text)
			}
			if !strings.Contains(text, "bus='"+bus+"'") || !strings.Contains(text, "/o&amp;/overlay.qcow2") || strings.Contains(text, "<kernel>") || strings.Contains(text, "<channel") {
				t.Errorf("%s: %s", bus, text)
			}
		}
	}
}
