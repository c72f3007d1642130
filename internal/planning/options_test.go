package planning

import (
	"testing"
	"time"

	"podium/edition"
)

// TestWallFollowsCPU: an edition's wall time is meant for its own CPU time.
func TestWallFollowsCPU(t *testing.T) {
	ofHour := edition.Confinement{CPU: time.Hour, Wall: time.Hour}
	for _, c := range []struct {
		of        edition.Confinement
		cpu, wall time.Duration
		want      time.Duration
	}{
		{ofHour, 0, 0, time.Hour},
		{ofHour, 5 * time.Second, 0, 35 * time.Second},
		{ofHour, 5 * time.Second, time.Minute, time.Minute},
		{ofHour, 0, time.Minute, time.Minute},
		{edition.Confinement{CPU: time.Hour}, 0, 0, time.Hour + 30*time.Second},
	} {
		o := Options{CPU: c.cpu, Wall: c.wall}
		if got := o.Confinement(c.of); got.WallTime != c.want.Microseconds() {
			t.Errorf("--cpu %s --wall %s with %+v: %d us", c.cpu, c.wall, c.of, got.WallTime)
		}
	}
}
