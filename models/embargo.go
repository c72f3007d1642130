package models

import (
	"fmt"
	"time"
)

// Embargo keeps surprise models secret: until tools are handed in, nobody who
// writes one may learn which models will come (M-6, M-7). The zero value
// keeps nothing secret.
type Embargo struct {
	Until time.Time // the first moment at which surprise models may be named
}

// Covers reports whether models of the class may not be named now.
func (e Embargo) Covers(c Class, now time.Time) bool {
	return c == Surprise && now.Before(e.Until)
}

// EmbargoError is the error of an action that would name surprise models before
// Until. It has the number of models and not their names.
type EmbargoError struct {
	Families int
	Until    time.Time
}

// Error names no model.
func (e *EmbargoError) Error() string {
	what := "surprise models"
	if e.Families == 1 {
		what = "surprise model"
	}
	return fmt.Sprintf("%d %s may not be named before %s", e.Families, what, e.Until.UTC().Format(time.RFC3339))
}

// Check is nil when all instances may be named now, else an *[EmbargoError].
func (e Embargo) Check(instances []Instance, now time.Time) error {
	families := map[string]bool{}
	for _, i := range instances {
		if e.Covers(i.Class, now) {
			families[i.ID.Family] = true
		}
	}
	if len(families) == 0 {
		return nil
	}
	return &EmbargoError{len(families), e.Until}
}
