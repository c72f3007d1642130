package host_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"podium/vm"
	"podium/vm/host"
	"podium/vm/vmtest"
)

// TestProbeShowsWhatWorks wants the figures of machines that are booted where no
// template can be made, with the reason below; and an error where nothing works.
func TestProbeShowsWhatWorks(t *testing.T) {
	opens := func(refusal error) func() (vm.Driver, error) {
		return func() (vm.Driver, error) {
			return &vmtest.Fake{OnBoot: func(context.Context, vm.Spec) error { return refusal }}, nil
		}
	}
	booted, refused := host.Way{Name: "booted", Open: opens(nil)}, host.Way{Name: "restored", Open: opens(errors.New("no template could be made:\nsizes differ"))}
	spec := vm.Spec{Cores: 1}
	all, err := host.Try(t.Context(), func(string) {}, []host.Way{booted, refused}, spec, 2)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := host.WriteLives(&out, all); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); len(all[0].Machines) != 2 || !strings.Contains(text, "tool started") || !strings.Contains(text, "\nrestored: no machine: ") ||
		!strings.Contains(text, "no template could be made: sizes differ\n") {
		t.Errorf("%+v: %s", all, text)
	}
	if _, err := host.Try(t.Context(), func(string) {}, []host.Way{refused}, spec, 1); !errors.As(err, new(*vm.BootError)) {
		t.Errorf("err = %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := host.Try(ctx, func(string) {}, []host.Way{booted, refused}, spec, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}
