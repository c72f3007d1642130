package libvirt

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
)

// screen is the memory of one of text.
func screen(lines ...string) []byte {
	b := make([]byte, 0, 2*screenColumns*screenRows)
	for i := range screenRows {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		for c := range screenColumns {
			if c < len(line) {
				b = append(b, line[c], 7)
			} else {
				b = append(b, ' ', 7)
			}
		}
	}
	return b
}

func TestScreenText(t *testing.T) {
	if got := screenText(screen("Kernel panic - not syncing", "", "  end")); got != "Kernel panic - not syncing\n  end" {
		t.Errorf("%q", got)
	}
	picture := screen()
	for i := range picture {
		picture[i] = byte(i * 7)
	}
	for name, b := range map[string][]byte{"empty": screen(), "picture": picture, "nothing": nil, "white": bytes.Repeat([]byte{255}, 4000)} {
		if got := screenText(b); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := addLines("BIOS\nloading", "loading\nKernel panic"); got != "BIOS\nloading\nKernel panic" {
		t.Errorf("%q", got)
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[2J\x1b[1;31mred\x1b[0m\r\n": "red", "a\x07b\x00c\td": "abc\td", "\xff": "?", "\x1b]0;title\x07": "]0;title", "\x1bc\u202ex": "x",
	} {
		if got := printable([]byte(in)); got != want {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
}

// FuzzScreen: whatever a machine shows, nothing of it moves a terminal's cursor.
func FuzzScreen(f *testing.F) {
	f.Add(screen("No bootable device."))
	f.Add([]byte("\x1b[31m\x1b(B\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		text := screenText(b)
		if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }) {
			t.Errorf("%q", text)
		}
		if lines := strings.Count(text, "\n"); lines >= screenRows {
			t.Errorf("%d lines", lines+1)
		}
		for _, r := range printable(b) {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Errorf("%q lets %q through", b, r)
			}
		}
	})
}
