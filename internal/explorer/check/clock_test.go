package check

import (
	"testing"

	"podium/internal/clock"
	"podium/internal/clock/clocktest"
	"podium/internal/explorer/space"
	"podium/internal/explorer/temporal"
	"podium/internal/nettest"
)

// TestClockGivesBack: what was left in the middle holds no memory.
func TestClockGivesBack(t *testing.T) {
	net := nettest.Philosophers(9)
	for looks := 1; ; looks *= 2 {
		s := space.NewSearch(nil, net, space.Options{Edges: true, Cores: 2})
		ended := clock.Until(clocktest.Looks(looks), func(c *clock.Clock) error {
			s.Clock = c
			s.Run(t.Context())
			l, err := NewLabels(s.Space)
			if err != nil {
				return err
			}
			_, _, err = l.Decide(temporal.EG{F: temporal.True}, nil)
			l.Close()
			return err
		})
		s.Close()
		if s.Budget().Mapped() > 0 {
			t.Errorf("%d tables are left after %d looks", s.Budget().Mapped(), looks)
		}
		if ended == nil {
			return
		}
	}
}
