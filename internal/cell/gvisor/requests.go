package gvisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/glovebox-dev/glovebox/internal/runsc"
)

// maxEvent bounds what a sandbox may say at a time, in bytes: it is as hostile as
// its program once that has broken out of gVisor.
const maxEvent = 16 << 10

// hear waits for the next event of the sandbox, and wants it to be this one.
func (in *instance) hear(want string) error {
	var event runsc.Event
	if err := json.NewDecoder(io.LimitReader(in.control, maxEvent)).Decode(&event); err != nil {
		return errors.New("the sandbox said nothing more")
	}
	if event.Event != want {
		return errors.New(event.Error)
	}
	return nil
}

// ask has the sandbox do something with some files. The caller holds asking. The
// cell ends when ctx does: nothing else makes a sandbox answer that does not.
func (in *instance) ask(ctx context.Context, request string, files ...*os.File) error {
	defer context.AfterFunc(ctx, in.Kill)()
	if err := runsc.Ask(in.control, request, files...); err != nil {
		return fmt.Errorf("asking the sandbox: %w", err)
	}
	return in.hear("done")
}

// Freeze implements cell.Instance.
func (in *instance) Freeze(ctx context.Context) error {
	in.asking.Lock()
	defer in.asking.Unlock()
	return in.setFrozen(ctx, runsc.Freeze, true)
}

// Thaw implements cell.Instance.
func (in *instance) Thaw(ctx context.Context) error {
	in.asking.Lock()
	defer in.asking.Unlock()
	return in.setFrozen(ctx, runsc.Thaw, false)
}

// setFrozen does nothing if the cell is so already. The caller holds asking.
func (in *instance) setFrozen(ctx context.Context, request string, frozen bool) error {
	if in.frozen == frozen {
		return nil
	}
	if err := in.ask(ctx, request); err != nil {
		return fmt.Errorf("%s: %w", request, err)
	}
	in.frozen = frozen
	return nil
}
