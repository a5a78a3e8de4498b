package image

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/glovebox-dev/glovebox/api"
)

// A caller that gives up does not end the build of the others; the last one
// does, and waits until nothing of the build is left.
func TestFlights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &flights{current: map[string]*flight{}}
		finish, builds, ended := make(chan struct{}), 0, 0
		build := func(ctx context.Context, progress func(api.Progress)) (*Image, error) {
			builds++
			progress(api.Progress{Message: "step"})
			defer func() { ended++ }()
			select {
			case <-finish:
				return &Image{ID: "x"}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		call := func() (context.CancelFunc, chan error) {
			ctx, cancel := context.WithCancel(t.Context())
			result := make(chan error, 1)
			go func() {
				_, err := f.do(ctx, "key", nil, build)
				result <- err
			}()
			synctest.Wait()
			return cancel, result
		}
		canceled := &api.Error{Code: api.Canceled}

		giveUp, first := call()
		_, second := call()
		giveUp()
		if err := <-first; !errors.Is(err, canceled) || ended != 0 {
			t.Errorf("the first caller got %v, %d builds ended", err, ended)
		}
		close(finish)
		if err := <-second; err != nil || builds != 1 {
			t.Errorf("the second caller got %v from %d builds", err, builds)
		}

		finish = make(chan struct{})
		giveUp, only := call()
		giveUp()
		if err := <-only; !errors.Is(err, canceled) || ended != 2 || len(f.current) != 0 {
			t.Errorf("the only caller got %v, %d builds ended, %d are known", err, ended, len(f.current))
		}
	})
}
