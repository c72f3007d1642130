package programs

import (
	"slices"
	"strings"
	"testing"
)

// TestCommand: a program sees the few variables that it is to see.
func TestCommand(t *testing.T) {
	for name, value := range map[string]string{"LC_ALL": "de_DE.UTF-8", "LC_MESSAGES": "de_DE.UTF-8", "LANGUAGE": "de", "SQUEUE_STATES": "all", "POSIXLY_CORRECT": "1", "TAR_OPTIONS": "-v",
		"HOME": "/home/ada", "GOPATH": "/go", "GOFLAGS": "", "SSH_AUTH_SOCK": "/agent"} {
		t.Setenv(name, value)
	}
	out, err := Command(t.Context(), "env").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(line, "=")
		if !slices.Contains(always, name) && line != "LC_ALL=C\n" {
			t.Errorf("the program sees %s", line)
		}
	}
	for _, want := range []string{"HOME=/home/ada\n", "LC_ALL=C\n", "PATH="} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the program does not see %s", want)
		}
	}
	for _, c := range []struct {
		keep, has, lacks string
	}{{"GO*", "GOPATH=/go", "SSH_AUTH_SOCK=/agent"}, {"SSH_AUTH_SOCK", "SSH_AUTH_SOCK=/agent", "GOPATH=/go"}, {"*", "TAR_OPTIONS=-v", "LC_ALL=de_DE.UTF-8"}, {"GO", "LC_ALL=C", "GOPATH=/go"}} {
		if env := Environment(c.keep); !slices.Contains(env, c.has) || slices.Contains(env, c.lacks) {
			t.Errorf("%s: %q", c.keep, env)
		}
	}
}
