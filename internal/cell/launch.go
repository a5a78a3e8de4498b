package cell

import (
	"context"
	"encoding/json"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// BeginLauncher starts a program that waits, once it is ready, to become a command.
func (c *Cell) BeginLauncher(ctx context.Context) (*Process, error) {
	request := c.execRequest(Command{})
	request.Launch = true
	return c.begin(ctx, request)
}

// Become has a launcher that is ready become a command, as UserID, and is Exec for
// the rest.
func (p *Process) Become(ctx context.Context, cmd Command) (Exit, error) {
	job, err := json.Marshal(p.cell.execRequest(cmd))
	if err != nil {
		return Exit{}, api.Errorf(api.Internal, "the command: %w", err)
	}
	if err := p.Send(ctx, job); err != nil {
		return Exit{}, err
	}
	var said complaint
	exit, err := p.Finish(ctx, cmd.Stdout, cmd.Stderr, &said)
	if err != nil || len(said) == 0 {
		return exit, err
	}
	return said.exit(exit)
}

// complaint is what a launcher says when it cannot become the command.
type complaint []byte

// maxComplaint bounds it, in bytes: a path is at most 4 KiB.
const maxComplaint = 64 << 10

func (c *complaint) Write(p []byte) (int, error) {
	*c = append(*c, p[:min(len(p), maxComplaint-len(*c))]...)
	return len(p), nil
}

func (c complaint) exit(exit Exit) (Exit, error) {
	var why wire.Exit
	if json.Unmarshal(c, &why) != nil || why.Error == "" {
		return exit, api.Errorf(api.CellLost, "the command was not started, and what was said about it is damaged: %.200q", []byte(c))
	}
	return Exit{Code: why.Code}, notStarted(why)
}
