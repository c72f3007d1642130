package clock

import (
	"context"
	"time"
)

// BudgetOf is [Budget] with another way to count processor time.
func BudgetOf(ctx context.Context, used func() time.Duration, d time.Duration) (context.Context, context.CancelFunc) {
	return begin(ctx, used, d, time.Now().Add(patience*d))
}
