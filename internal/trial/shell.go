package trial

import (
	"context"
	"errors"
	"io"
	"os"

	"podium/vm"
)

// shell starts a shell in the machine of a question, where the tool would be started: with
// its files, variables and limits, but no limit of wall time. It reads commands until in
// ends or the shell does. With prompt it asks for each.
func (b *Bench) shell(ctx context.Context, q Question, prompt bool, in io.Reader, out, diag io.Writer) error {
	commands, feed, err := os.Pipe()
	if err != nil {
		return err
	}
	defer commands.Close()
	machine, err := b.boot(ctx, q, commands)
	if err != nil {
		return errors.Join(err, feed.Close())
	}
	defer machine.Close()
	go func() { // ends at the latest when the shell has closed its end
		io.Copy(feed, in)
		feed.Close()
	}()
	commands.Close()
	command := []string{"/bin/sh"}
	if prompt {
		command = append(command, "-i")
	}
	job, err := q.Job()
	if err != nil {
		return err
	}
	job.Command, job.Limits.WallTime, job.Stdout, job.Stderr = command, 0, out, diag
	outcome, err := machine.Exec(ctx, job)
	switch {
	case err != nil:
		return err
	case outcome.Termination != vm.Exited || outcome.NotStarted():
		io.WriteString(diag, "the shell "+outcome.Ended()+"\n")
	}
	return nil
}
