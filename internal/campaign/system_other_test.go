//go:build !linux

package campaign

import (
	"errors"
	"testing"
)

// TestNoCampaigns wants a sentence where no campaign can be planned.
func TestNoCampaigns(t *testing.T) {
	if _, err := NewDraft(t.Context(), t.TempDir()); !errors.Is(err, errSystem) {
		t.Error(err)
	}
}
