package vmtest_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/vmtest"
)

func boot(t *testing.T, d vm.Driver, name string) vm.Machine {
	t.Helper()
	m, err := d.Boot(t.Context(), vm.Spec{Name: name, Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFakeSays(t *testing.T) {
	f := &vmtest.Fake{OnExec: vmtest.Say("FORMULA x TRUE\n", vm.Outcome{Termination: vm.OutOfCPU, CPUTime: vm.Took(time.Second)})}
	m := boot(t, f, "one")
	var stdout bytes.Buffer
	out, err := m.Exec(t.Context(), vm.Job{Command: []string{"tool"}, Stdout: &stdout})
	if err != nil || out.Termination != vm.OutOfCPU || out.OutputBytes != 15 || stdout.String() != "FORMULA x TRUE\n" {
		t.Errorf("%+v, %v, %q", out, err, &stdout)
	}
	if err := errors.Join(m.Close(), m.Close(), f.Close()); err != nil {
		t.Error(err)
	}
	if v := f.Violations(); len(v) > 0 {
		t.Error(v)
	}
	if len(f.Specs()) != 1 || len(f.Jobs()) != 1 || f.Most() != 1 {
		t.Errorf("%v %v %d", f.Specs(), f.Jobs(), f.Most())
	}
}

func TestFakeRefuses(t *testing.T) {
	f := &vmtest.Fake{OnBoot: func(context.Context, vm.Spec) error { return errors.New("no kernel") }}
	_, err := f.Boot(t.Context(), vm.Spec{Name: "one", Cores: 1})
	var be *vm.BootError
	if !errors.As(err, &be) {
		t.Errorf("%v is no boot error", err)
	}
}

func TestFakeFindsViolations(t *testing.T) {
	f := &vmtest.Fake{}
	a := boot(t, f, "one")
	boot(t, f, "one")
	a.Exec(t.Context(), vm.Job{Command: []string{"tool"}})
	if _, err := a.Exec(t.Context(), vm.Job{Command: []string{"tool"}}); err == nil {
		t.Error("a machine ran two jobs")
	}
	if _, err := f.Boot(t.Context(), vm.Spec{Name: "two", Cores: 2, CPUs: []int{1}}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	// Two of one name, used twice, two cores pinned to one, open at Close,
	// and two names that are still open.
	if v := f.Violations(); len(v) != 6 {
		t.Errorf("%d violations: %q", len(v), v)
	}
}

func TestFakeCancel(t *testing.T) {
	f := &vmtest.Fake{OnExec: func(ctx context.Context, _ vm.Spec, _ vm.Job) (vm.Outcome, error) {
		<-ctx.Done()
		return vm.Outcome{Termination: vm.Signalled}, nil
	}}
	m := boot(t, f, "one")
	defer m.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := m.Exec(ctx, vm.Job{Command: []string{"tool"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}
