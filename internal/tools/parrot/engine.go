// Package parrot is the built-in tool that goes by the names of instances, for
// demonstrations of what stripped copies bring to light (T-5, E-4.4): "parrot". Where it
// knows the name it answers as another engine does; where it does not, it cannot.
package parrot

import (
	"context"

	"podium/internal/tools/engine"
	"podium/models"
)

// Engine is the method of the tool.
type Engine struct {
	Knowing engine.Engine // what is answered where the name is known
}

// Answer implements [engine.Engine]. The names that it knows are those of the built-in
// models.
func (e Engine) Answer(ctx context.Context, task engine.Task, out *engine.Printer) error {
	id, err := models.ParseID(task.Instance)
	if _, known := models.FindFamily(id.Family); err != nil || !known {
		return nil
	}
	return e.Knowing.Answer(ctx, task, out)
}
