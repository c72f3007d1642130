//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/guest"
	"podium/vm/guest/image"
)

// TestJudge holds the guest's figures against the host's.
func TestJudge(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	times, memory := []vm.Figure{vm.Times}, []vm.Figure{vm.Memory}
	for _, c := range []struct {
		guest, host, waited  time.Duration
		guestMemory, hostMem int64
		want                 []vm.Figure
	}{
		{10 * s, 10 * s, 0, 1 << 20, 1 << 28, nil},
		{10 * s, 9910 * ms, 0, 1 << 20, 1 << 28, nil}, // within a hundredth
		{10 * s, 9890 * ms, 0, 1 << 20, 1 << 28, times},
		{10 * s, 9 * s, 0, 1 << 20, 1 << 28, times},
		{10 * ms, 1 * ms, 0, 1 << 20, 1 << 28, nil}, // within 10 ms
		{12 * ms, 1 * ms, 0, 1 << 20, 1 << 28, times},
		{628 * ms, 690 * ms, 97 * ms, 1 << 20, 1 << 28, times}, // the machine's own work hides what others had
		{628 * ms, 690 * ms, 9 * ms, 1 << 20, 1 << 28, nil},
		{10 * s, 10 * s, 101 * ms, 1 << 20, 1 << 28, times},
		{10 * s, 16 * s, 0, 1 << 20, 1 << 28, nil},
		{10 * s, 18 * s, 0, 1 << 20, 1 << 28, times},
		{10 * s, 10 * s, 0, 1 << 29, 1 << 28, memory},
		{40 * s, 10 * s, 0, 1 << 29, 1 << 28, []vm.Figure{vm.Times, vm.Memory}},
		{10 * s, 0, 0, 0, 0, times},
	} {
		control := control{used: hostTimes{c.host, c.waited}, memory: c.hostMem}
		out := vm.Outcome{CPUTime: vm.Took(c.guest), MemoryPeak: c.guestMemory}
		if control.judge(&out); !slices.Equal(out.Unmeasured, c.want) || len(out.Warnings) != len(c.want) {
			t.Errorf("%+v: %q, %q", c, out.Unmeasured, out.Warnings)
		}
	}
}

// TestControl reads this process' own figures.
func TestControl(t *testing.T) {
	burn := func(until time.Duration) {
		for {
			if now, err := cpuTime(os.Getpid()); err != nil || now > until {
				return
			}
		}
	}
	c, err := newControl(os.Getpid(), vm.Limits{CPUTime: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	burn(c.before.cpu + 20*time.Millisecond)
	if why := c.Check(); why != "" || c.used.cpu < 20*time.Millisecond || c.memory < 1<<20 {
		t.Errorf("%q, %+v", why, c)
	}
	if left := c.Left(); left <= 0 || left > 20*time.Second-20*time.Millisecond {
		t.Errorf("%v are left", left)
	}
	c.before.cpu -= 20*time.Second - 200*time.Millisecond // within a hundredth of the limit
	if left := c.Left(); left != 0 {
		t.Errorf("%v are left", left)
	}
	c.before.cpu -= 6*time.Second + slackTime
	if why := c.Check(); why != vm.OutOfCPU || c.Left() != 0 {
		t.Errorf("%q, %+v", why, c)
	}
	if _, err := newControl(100_000_000, vm.Limits{}); err == nil {
		t.Error("a process that is not there has CPU time")
	}
}

// TestDomain writes names that are not XML into XML.
func TestDomain(t *testing.T) {
	d := domain{name: "podium-1-2-a<b>&'c", kernel: "/k", initramfs: "/i", accelerator: "tcg", cores: 2, cpus: []int{3, 5}, nodes: []int{0, 2}, memory: 1 << 30,
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
	for _, want := range []string{d.name, "/t'>", "1048576", "qemu", "\n5\n", "3,5", "strict\n0,2", "cpu-unavailable-features"} {
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
		for _, want := range []string{fmt.Sprintf("<memory unit=\"KiB\">%d</memory>", d.memory>>10), fmt.Sprintf("size=%d,", d.memory)} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in %s", want, text)
			}
		}
	}
	if got := wholeMegabytes(16_000_000_000); got != 15259<<20 {
		t.Errorf("%d bytes", got)
	}
}

// TestRelativePaths takes paths as a person gives them.
func TestRelativePaths(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"tool", "input"} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("mytool.img", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	spec := vm.Spec{Name: "relative", Cores: 1, Image: "mytool.img", Tool: "tool", Input: "./input"}
	err := checkSpec(&spec)
	if err != nil || spec.Image != filepath.Join(dir, "mytool.img") || spec.Tool != filepath.Join(dir, "tool") || spec.Input != filepath.Join(dir, "input") {
		t.Errorf("%+v, %v", spec, err)
	}
	if err := checkSpec(&vm.Spec{Name: "relative", Cores: 1, Image: "missing.img"}); err == nil {
		t.Error("an image that is missing is taken")
	}
	if err := checkSpec(&vm.Spec{Name: "reads", Cores: 1, Tool: dir, Stdin: os.Stdin}); err == nil || !strings.Contains(err.Error(), "driver sandbox") {
		t.Errorf("standard input: %v", err)
	}
	if spec := (vm.Spec{Name: "relative", Cores: 1, Tool: dir}); checkSpec(&spec) != nil || spec.Image != "" || spec.Input != "" {
		t.Errorf("%+v", spec)
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
			if !strings.Contains(text, `bus="`+bus+`"`) || !strings.Contains(text, "/o&amp;/overlay.qcow2") || strings.Contains(text, "<kernel>") || strings.Contains(text, "<channel") {
				t.Errorf("%s: %s", bus, text)
			}
		}
	}
}
