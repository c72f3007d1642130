package edition

import (
	"strings"
	"testing"
)

func TestPinned(t *testing.T) {
	text, err := embedded.ReadFile("editions/mcc2020.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]bool{"model": false, "instance": true} {
		changed := strings.Replace(string(text), "limits:\n", "limits:\n  pinned: "+word+"\n", 1)
		if e, found := Load("own.yaml", []byte(changed)); found.Err() != nil || e.Limits.PinInstances != want {
			t.Errorf("%s: %v", word, found)
		}
	}
	_, found := Load("own.yaml", []byte(strings.Replace(string(text), "limits:\n", "limits:\n  pinned: host\n", 1)))
	if len(found) != 1 || !strings.Contains(found[0].Error(), "pinned is model or instance") || found[0].Line == 0 {
		t.Errorf("%v", found)
	}
}
