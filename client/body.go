package client

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

var errSilent = errors.New("nothing has come for too long")

// body is the body of an answer. It fails when its request is given up or when
// nothing comes for too long, and its errors are ours.
type body struct {
	io.ReadCloser
	client  *Client
	ctx     context.Context
	cancel  context.CancelCauseFunc
	silence *time.Timer // nil waits for ever
}

func (c *Client) watch(ctx context.Context, cancel context.CancelCauseFunc, b io.ReadCloser, patient bool) *body {
	w := &body{ReadCloser: b, client: c, ctx: ctx, cancel: cancel}
	if !patient {
		w.silence = time.AfterFunc(c.timing.silence, func() { cancel(errSilent) })
		w.silence.Stop()
	}
	return w
}

// Read counts the time that the server takes, not that of the reader.
func (b *body) Read(p []byte) (int, error) {
	if b.silence != nil {
		b.silence.Reset(b.client.timing.silence)
		defer b.silence.Stop()
	}
	n, err := b.ReadCloser.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, b.failure(err)
}

func (b *body) failure(err error) *api.Error {
	cause := context.Cause(b.ctx)
	switch {
	case errors.Is(cause, errSilent):
		err = errSilent
	case cause != nil:
		return canceled(b.ctx)
	}
	return b.client.unavailable("broke off its answer", err)
}

// Close gives up what has not been read.
func (b *body) Close() error {
	if b.silence != nil {
		b.silence.Stop()
	}
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
}
