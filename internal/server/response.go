package server

import (
	"net/http"
	"time"
)

// response counts what is written, and gives up on a client that takes nothing
// for as long as stall.
type response struct {
	http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
	status  int
	size    int64
}

// piece is how much is written under one deadline, in bytes.
const piece = 64 << 10

// Unwrap lets http.ResponseController find what is below.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader begins the answer.
func (w *response) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.extend()
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(p []byte) (n int, err error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	for {
		w.extend()
		m, err := w.ResponseWriter.Write(p[n : n+min(len(p)-n, piece)])
		n += m
		w.size += int64(m)
		if err != nil || n == len(p) {
			return n, err
		}
	}
}

// FlushError sends what is buffered.
func (w *response) FlushError() error {
	w.extend()
	return w.control.Flush()
}

func (w *response) extend() {
	_ = w.control.SetWriteDeadline(time.Now().Add(w.stall)) // a recorder of a test has none
}
