package wire

// Upload is a channel that is to carry a request and data towards the other
// side, and nothing else before its status. It opens with the first data, and
// when they are few all of it travels in one piece.
type Upload struct {
	mux     *Mux
	kind    string
	request any
	buf     []byte // what was not sent yet: maxData bytes at most
	ch      *Channel
}

// NewUpload makes an upload of the given request.
func (m *Mux) NewUpload(kind string, request any) *Upload {
	return &Upload{mux: m, kind: kind, request: request}
}

// Write implements io.Writer.
func (u *Upload) Write(p []byte) (int, error) {
	written := 0
	for written < len(p) {
		if len(u.buf) == maxData {
			if err := u.flush(); err != nil {
				return written, err
			}
		}
		n := min(len(p)-written, maxData-len(u.buf))
		u.buf = append(u.buf, p[written:written+n]...)
		written += n
	}
	return written, nil
}

func (u *Upload) flush() (err error) {
	if u.ch == nil {
		if u.ch, err = u.mux.Open(u.kind, u.request); err != nil {
			return err
		}
	}
	_, err = u.ch.Write(u.buf)
	u.buf = u.buf[:0]
	return err
}

// Finish says that no more data follow.
func (u *Upload) Finish() (err error) {
	if u.ch == nil {
		u.ch, err = u.mux.openWith(u.kind, u.request, u.buf)
		return err
	}
	return u.ch.WriteLast(u.buf)
}

// Channel returns the channel; nil if nothing was sent yet.
func (u *Upload) Channel() *Channel { return u.ch }
