package forecast

import (
	"math"
	"time"
)

// smooth is a forecast that is shown while time goes by. Each new one moves it a
// part of the way: at first they are averaged, since the first ones are of few
// runs; later the part grows with the time since the last one, compared with what is
// left. What is left is the geometric mean of what was shown and the new forecast, so
// that neither a forecast that is much too long nor one that is much too short counts too
// much. So one long run makes no jump, an error is small when half of the rest has gone
// by, and the last minutes are those of the last forecast.
type smooth struct {
	left  Left
	at    time.Time
	count int // of the forecasts that are in it
}

// haste is by how much an error fades faster than what is left: an error of the
// forecast has shrunk to p^haste when what is left has shrunk to the part p.
const haste = 4

// add takes a forecast.
func (s *smooth) add(next Left, now time.Time) {
	s.count++
	gone := now.Sub(s.at)
	before := s.left.after(gone)
	s.left, s.at = next, now
	rest := math.Sqrt(float64(before.Middle) * float64(next.Middle))
	if rest <= 0 { // nothing is known, or was
		s.count = min(s.count, 1)
		return
	}
	part := max(1/float64(s.count), 1-math.Exp(-haste*float64(gone.Microseconds())/rest))
	for _, us := range []struct {
		to       *int64
		old, new int64
	}{{&s.left.Least, before.Least, next.Least}, {&s.left.Middle, before.Middle, next.Middle}, {&s.left.Most, before.Most, next.Most}} {
		if us.old > 0 && us.new > 0 {
			*us.to = us.old + int64(part*float64(us.new-us.old))
		}
	}
	if s.left.Worst > 0 { // less may be left than was said
		s.left.Least, s.left.Middle, s.left.Most = min(s.left.Least, s.left.Worst), min(s.left.Middle, s.left.Worst), min(s.left.Most, s.left.Worst)
	}
	if s.left.Most > 0 { // the range may be newer than the middle
		s.left.Least, s.left.Most = min(s.left.Least, s.left.Middle), max(s.left.Most, s.left.Middle)
	}
}
