package cmd

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFilesHandedIn: in a campaign or a directory that others made, a pipe makes no command wait,
// and of a link no command shows what it leads to.
func TestFilesHandedIn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	secret := "format: 'the secret of the host\n"
	if err := os.WriteFile(at("secret"), []byte(secret), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, 0, "model", "generate", "--out", at("models"), "DiningPhilosophers", "002")
	run(t, 0, "plan", "--models", at("models"), "--cpu", "20s", "--memory", "1GB", "--examination", "OneSafe,StateSpace", "--out", at("c"))
	run(t, 0, "run", at("c"))
	run(t, 0, "certify", at("c"), "--budget", "5s")
	run(t, 0, "certify", at("models"), "--budget", "5s", "-x", "OneSafe,StateSpace", "--out", at("oracle"))
	instance := "DiningPhilosophers-PT-002"
	tries := 0
	for _, c := range []struct {
		file string
		args []string
	}{
		{"c/certified/certificate.jsonl", []string{"score", at("c")}},
		{"c/certified/certificate.jsonl", []string{"certify", at("c")}},
		{"c/certified/certificate.jsonl", []string{"publish", at("c"), "--out", at("site")}},
		{"c/edition.yaml", []string{"score", at("c")}},
		{"c/decisions/1.json", []string{"decide", "list", at("c")}},
		{"c/decisions/1.json", []string{"status", at("c")}},
		{"c/decisions/1.json", []string{"publish", at("c"), "--out", at("site")}},
		{"c/cluster.yaml", []string{"cluster", "doctor", at("c")}},
		{"c/cluster.yaml", []string{"cluster", "status", at("c")}},
		{"oracle/" + instance + "-OS.out", []string{"certify", at("models"), "-x", "OneSafe", "--against", at("oracle")}},
		{"oracle/" + instance + "-SS.out", []string{"certify", at("models"), "-x", "StateSpace", "--against", at("oracle")}},
		{"oracle/certificate.jsonl", []string{"score", at("c"), "--certified=" + at("oracle")}},
		{"oracle/certificate.jsonl", []string{"certify", at("models"), "-x", "OneSafe", "--out", at("oracle")}},
	} {
		file := at(c.file)
		before, err := os.ReadFile(file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		for kind, make := range map[string]func() error{
			"pipe":             func() error { return syscall.Mkfifo(file, 0o644) },
			"link":             func() error { return os.Symlink("../../secret", file) },
			"link of the host": func() error { return os.Symlink(at("secret"), file) },
			"directory":        func() error { return os.Mkdir(file, 0o755) },
		} {
			if err := errors.Join(os.RemoveAll(file), make()); err != nil {
				t.Fatal(err)
			}
			tries++
			p := podium(c.args...)
			var said bytes.Buffer
			p.Stdout, p.Stderr = &said, &said
			late := time.AfterFunc(time.Minute, func() { _ = p.Process.Kill() }) // a pipe would hold it for ever
			err := p.Run()
			late.Stop()
			if text := said.String(); err == nil || p.ProcessState.ExitCode() == 1 || strings.Contains(text, "secret of the host") || !strings.Contains(text, filepath.Base(c.file)+": this is a ") {
				t.Errorf("%v with a %s as %s: %v\n%s", c.args, kind, c.file, err, text)
			}
		}
		if os.RemoveAll(file); err == nil {
			if err := os.WriteFile(file, before, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d tries", tries)
}
