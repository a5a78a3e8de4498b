//go:build linux

package disk_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/disk"
)

func TestPatience(t *testing.T) {
	full := fmt.Errorf("write: %w", unix.ENOSPC)
	other := errors.New("broken")
	synctest.Test(t, func(t *testing.T) {
		waited := 0
		p := disk.NewPatience(time.Minute, func() { waited++ })
		began := time.Now()
		spaceAfter := func(d time.Duration, then error) func() error {
			return func() error {
				if time.Since(began) < d {
					return full
				}
				return then
			}
		}
		if err := p.Do(t.Context(), spaceAfter(0, nil)); err != nil || waited != 0 {
			t.Errorf("with space: %v, waited %d times", err, waited)
		}
		if err := p.Do(t.Context(), spaceAfter(30*time.Second, nil)); err != nil || waited != 1 {
			t.Errorf("with space after 30 s: %v, waited %d times", err, waited)
		}
		if err := p.Do(t.Context(), spaceAfter(time.Minute, other)); err != other {
			t.Errorf("with another error: %v", err)
		}
		began = time.Now()
		if err := p.Do(t.Context(), spaceAfter(time.Hour, nil)); err != full || time.Since(began) < time.Minute {
			t.Errorf("without space: %v after %s", err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := p.Do(ctx, spaceAfter(24*time.Hour, nil)); err != full || ctx.Err() == nil {
			t.Errorf("cancelled: %v", err)
		}
		time.AfterFunc(time.Second, func() { p.Set(0) })
		began = time.Now()
		if err := p.Do(t.Context(), spaceAfter(time.Hour, nil)); err != full || time.Since(began) > 3*time.Second {
			t.Errorf("out of patience: %v after %s", err, time.Since(began))
		}
	})
}
