package oci

import (
	"context"
	"errors"
	"io"

	"github.com/glovebox-dev/glovebox/api"
)

// meter passes on at most limit bytes and stops when its context ends.
type meter struct {
	ctx   context.Context
	r     io.Reader
	what  string
	limit int64
	left  int64
}

func newMeter(ctx context.Context, r io.Reader, what string, limit int64) *meter {
	return &meter{ctx: ctx, r: r, what: what, limit: limit, left: limit}
}

func (m *meter) Read(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, contextError(err)
	}
	n, err := m.r.Read(p)
	m.left -= int64(n)
	if m.left < 0 {
		return 0, tooLarge(m.what, "bytes", m.limit)
	}
	return n, err
}

func tooLarge(what, unit string, limit int64) error {
	return api.Errorf(api.ImageInvalid, "%s has more than the %d %s that are allowed", what, limit, unit).
		WithDetails(api.Details{Limit: limit})
}

func contextError(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return api.Errorf(api.RegistryUnavailable, "the image took too long: %w", err)
	}
	return api.Errorf(api.Canceled, "the work on the image was cancelled: %w", err)
}
