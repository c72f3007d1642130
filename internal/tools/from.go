package tools

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"podium/examinations"
	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// Command is a command line of a tool, as a person runs it, made into that of a head.
type Command struct {
	Line    string   // for a shell, in the directory of an instance
	Remarks []string // sentences about what was replaced, and what a machine may lack
	copies  map[string]string

	writable []string // those of them that are empty directories, as paths in the tool
}

// maxCommand bounds a command line, in bytes.
const maxCommand = 16 << 10

// ParseCommand reads a command line that a person runs on one model. Programs and other
// files that it names are to be copied into the tool's bin directory; a model.pnml, a
// formula file and the name of an examination become those of the run. Everything else
// stays as it is, for the shell.
func ParseCommand(line string) (*Command, error) {
	words, err := shellWords(line)
	if err != nil {
		return nil, err
	}
	c := &Command{copies: map[string]string{}}
	for i, word := range words {
		if words[i], err = c.word(word, i == 0); err != nil {
			return nil, err
		}
	}
	c.Line = strings.Join(words, " ")
	return c, nil
}

// shellWords splits a line at spaces outside of quotes; words keep their quotes.
func shellWords(line string) (words []string, err error) {
	if len(line) > maxCommand || strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
		return nil, errors.New("the command has to be one line: put what is longer into a script, and name that")
	}
	var word strings.Builder
	quote, begun := rune(0), false
	end := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	for _, r := range line {
		if quote == 0 && (r == ' ' || r == '\t') {
			end()
			continue
		}
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		}
		word.WriteRune(r)
		begun = true
	}
	end()
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the command has a quote %c that is not closed", quote)
	case len(words) == 0:
		return nil, errors.New("the command is empty: write it as you run it, such as 'build/mytool --net model.pnml'")
	}
	return words, nil
}

// word makes one word that of a head.
func (c *Command) word(word string, first bool) (string, error) {
	plain := strings.Trim(word, `'"`)
	base := filepath.Base(plain)
	exam, isFormulas := strings.CutSuffix(base, ".xml")
	_, noExam := examinations.ParseID(exam)
	to := ""
	switch {
	case strings.ContainsAny(word, "$`"):
		return word, nil // the shell's
	case base == "model.pnml":
		to = "model.pnml"
	case noExam == nil && isFormulas:
		to = `"$BK_EXAMINATION.xml"`
	case noExam == nil && plain == exam:
		to = `"$BK_EXAMINATION"`
	case first || strings.Contains(plain, "/") || filepath.Ext(plain) != "":
		return c.file(word, plain, first)
	default:
		return word, nil
	}
	if to != word {
		c.Remarks = append(c.Remarks, fmt.Sprintf("%s became %s", word, to))
	}
	return to, nil
}

// isInstance reports whether a directory has a net, as that of an instance does.
func isInstance(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "model.pnml"))
	return err == nil
}

// file copies what a word names into the tool, or leaves the word as it is.
func (c *Command) file(word, plain string, program bool) (string, error) {
	info, err := os.Stat(plain)
	if program && (!strings.Contains(plain, "/") || errors.Is(err, fs.ErrNotExist)) {
		at, found := exec.LookPath(plain)
		if found != nil || strings.Contains(plain, "/") {
			return "", fmt.Errorf("there is no program %s: write the command as you run it in this directory, with the path of the program", plain)
		}
		if same := inUsual(plain); !usual(at) && same != "" {
			c.Remarks = append(c.Remarks, fmt.Sprintf("note: %s is %s here; a run does not see that file, and takes %s: an image (system: in tool.yaml) makes both alike", plain, at, same))
			return word, nil
		} else if !usual(at) {
			c.Remarks = append(c.Remarks, fmt.Sprintf("note: %s is %s, which a run does not see: write that path into the command, and the program is copied", plain, at))
			return word, nil
		}
		c.Remarks = append(c.Remarks, fmt.Sprintf("%s is a program of this computer: other machines have it from an image (system: in tool.yaml)", plain))
		return word, nil
	}
	switch {
	case err != nil:
		c.missing(plain)
		return word, nil // it may be anything
	case info.IsDir() && program:
		return "", fmt.Errorf("%s is a directory: name the program in it", plain)
	case info.IsDir() && isInstance(plain):
		c.Remarks = append(c.Remarks, word+" became . (the directory of the instance)")
		return ".", nil
	case info.IsDir() && !isEmpty(plain):
		c.Remarks = append(c.Remarks, fmt.Sprintf("%s is a directory, which was not copied: put into bin/ what the tool needs of it", word))
		return word, nil
	case !info.IsDir() && !info.Mode().IsRegular():
		return word, nil
	case usual(plain):
		c.Remarks = append(c.Remarks, fmt.Sprintf("%s is a file of this computer: other machines have it from an image (system: in tool.yaml)", plain))
		return word, nil
	}
	if program {
		c.unmarked(plain)
	}
	name := filepath.Base(plain)
	if other, ok := c.copies[name]; ok && other != plain {
		return "", fmt.Errorf("%s and %s would both become bin/%s: rename one", other, plain, name)
	}
	if c.copies[name] = plain; info.IsDir() {
		if dir := "bin/" + name; !slices.Contains(c.writable, dir) {
			c.writable = append(c.writable, dir)
		}
		c.Remarks = append(c.Remarks, fmt.Sprintf("%s is empty: runs may write to bin/%s, and find it empty (writable: in tool.yaml)", word, name))
	} else {
		c.Remarks = append(c.Remarks, fmt.Sprintf("%s was copied to bin/%s", word, name))
	}
	return `"$BIN_DIR/` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(name) + `"`, nil
}

// isEmpty reports whether a directory can be read, and holds nothing.
func isEmpty(dir string) bool {
	list, err := os.ReadDir(dir)
	return err == nil && len(list) == 0
}

// missing notes a word that looks like a file of the tool and is none.
func (c *Command) missing(word string) {
	if strings.HasPrefix(word, "-") || strings.ContainsAny(word, "={}*") {
		return
	}
	if !filepath.IsLocal(word) {
		if !usual(word) {
			c.Remarks = append(c.Remarks, fmt.Sprintf("note: there is no file %s, and a run does not see such a place of this computer: it writes to $TMPDIR or $BK_RESULT_DIR, and files of the tool are in $BIN_DIR", word))
		}
	} else if near, ok := diagnostic.NearestPath(word); ok {
		c.Remarks = append(c.Remarks, fmt.Sprintf("note: there is no file %s; the nearest is %s: if that is meant, remove the new directory and call this again", word, near))
	} else if slices.Contains(scripts, filepath.Ext(word)) {
		c.Remarks = append(c.Remarks, fmt.Sprintf("note: there is no file %s: the tool has to have it in bin/", word))
	}
}

// usual reports whether a path leads to a place of this computer that runs see.
func usual(path string) bool {
	return slices.ContainsFunc([]string{"/usr/", "/bin/", "/sbin/", "/nix/store/", "/gnu/store/"}, func(place string) bool { return strings.HasPrefix(path, place) })
}

// inUsual returns the path of a program in the places where a run looks for it; empty where there is none.
func inUsual(name string) string {
	for _, dir := range []string{"/usr/local/bin", "/usr/bin", "/bin"} {
		if at, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return at
		}
	}
	return ""
}

// scripts are the endings of files that programs run.
var scripts = []string{".py", ".sh", ".pl", ".rb", ".jar", ".js", ".lua"}

// unmarked notes a program that does not say what runs it.
func (c *Command) unmarked(program string) {
	f, err := files.OpenNamed(program)
	if err != nil {
		return // to copy it says what is wrong
	}
	defer f.Close()
	line, err := firstLine(f)
	if err == nil && !strings.HasPrefix(line, "#!") && !strings.HasPrefix(line, elf.ELFMAG) {
		c.Remarks = append(c.Remarks, fmt.Sprintf("note: %s does not begin with #! and the program that runs it, so that a shell reads it: write such a first line, as #!/usr/bin/env python3", program))
	}
}

// copyTo copies the files of the command into the bin directory of a tool, and makes the
// directories there that it writes to.
func (c *Command) copyTo(dir string) error {
	if len(c.copies) == 0 {
		return nil
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		return err
	}
	for _, name := range c.writable {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			return err
		}
	}
	for name, from := range c.copies {
		if slices.Contains(c.writable, "bin/"+name) {
			continue
		}
		if err := copyProgram(from, filepath.Join(dir, "bin", name)); err != nil {
			return err
		}
	}
	return nil
}
