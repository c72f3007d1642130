// Package paths names the files of a site: for tools, instances, examinations and runs,
// also where the browser must find them.
package paths

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// maxFileName bounds a name, so that suffixes still fit in the 255 bytes
// of common file systems.
const maxFileName = 100

// Name is a file name for any text: letters, digits, '-', '_' and '.' stay,
// every other byte becomes '~' and two hexadecimal digits, and a long name ends
// in part of its digest. The name is never empty, hidden, or "index".
func Name(text string) string {
	name := text
	for i := range len(text) {
		if !stays(text, i) {
			name = spelt(text)
			break
		}
	}
	if name == "" || strings.EqualFold(name, "index") {
		name += "~"
	}
	if len(name) > maxFileName {
		sum := sha256.Sum256([]byte(text))
		name = name[:maxFileName-17] + "~" + hex.EncodeToString(sum[:8])
	}
	return name
}

// stays reports whether the i-th byte of a text stands in the name of a file as it is.
func stays(text string, i int) bool {
	c := text[i]
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' && i > 0
}

// spelt spells out what does not stay.
func spelt(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if stays(text, i) {
			b.WriteByte(text[i])
		} else {
			fmt.Fprintf(&b, "~%02x", text[i])
		}
	}
	return b.String()
}

// Names gives every text its own file name, also where a file system does
// not tell upper from lower case. Equal input order gives equal names.
func Names(texts []string) []string {
	names, taken := make([]string, len(texts)), make(map[string]bool, len(texts))
	for i, text := range texts {
		name := Name(text)
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s~%d", Name(text), n)
		}
		taken[strings.ToLower(name)] = true
		names[i] = name
	}
	return names
}

// Tool, Model and Instance are the pages of these, by the names of their files.
func Tool(file string) string     { return "tools/" + file + ".html" }
func Model(file string) string    { return "models/" + file + ".html" }
func Instance(file string) string { return "instances/" + file + ".html" }

// Examination and Category are the pages of these, by their names.
func Examination(id string) string { return "examinations/" + Name(id) + ".html" }
func Category(name string) string  { return "categories/" + Name(name) + ".html" }

// Run is where a site has a run, from its root, by the names of the files of its tool and
// instance, and the name of its examination's.
func Run(tool, instance, exam string) string {
	return Instance(instance) + "#" + exam + "." + tool
}
