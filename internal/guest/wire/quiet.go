package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrQuiet is how a connection ends that both sides have ended in order, so that
// another one can follow.
var ErrQuiet = errors.New("the guest connection is silent, because the cell is being saved")

// GenerationFile is a file of a restored cell with a decimal number, which is another
// one each time that the cell continues from a saved state. Until the first time it
// does not exist. What a program draws from a generator in its own memory, other
// cells of that state draw too: when the number has changed, it has to be seeded
// again from the kernel.
const GenerationFile = "/run/glovebox/generation"

// Greeting is what the host says first when a connection begins anew.
type Greeting struct {
	// Restored says that the cell continues from a saved state, of which there may
	// be other cells.
	Restored bool `json:"restored,omitempty"`
	// Machine is what /etc/machine-id is to hold; empty leaves that as it is.
	Machine string `json:"machine,omitempty"`
}

// Quiesce has the connection end in order, from the host's side. Nothing can be sent
// any more. What the guest has sent still comes; then Run returns ErrQuiet.
func (m *Mux) Quiesce() error { return m.writeLast(frame{kind: kindQuiesce}) }

// Greet sends the host's first frame of a connection that begins anew.
func (m *Mux) Greet(greeting Greeting) error {
	payload, err := json.Marshal(greeting)
	if err != nil {
		return err
	}
	return m.write(frame{kind: kindHello, payload: payload})
}

// AwaitGreeting waits for the host's first frame after a connection has ended in
// order. It reads no further.
func AwaitGreeting(stream io.Reader) (greeting Greeting, err error) {
	f, err := readFrame(stream, maxToGuest)
	if err != nil {
		return greeting, err
	}
	if f.kind != kindHello {
		return greeting, fmt.Errorf("a frame of kind %d instead of a hello", f.kind)
	}
	return greeting, json.Unmarshal(f.payload, &greeting)
}

func (m *Mux) handleQuiesce() error {
	if m.side == Host {
		return errors.New("quiesce from the guest")
	}
	if err := m.writeLast(frame{kind: kindQuiet}); err != nil {
		return err
	}
	return ErrQuiet
}

func (m *Mux) handleQuiet() error {
	if m.side == Guest || !m.isSilent() {
		return errors.New("quiet without having been asked")
	}
	return ErrQuiet
}

// writeLast sends a frame after which there is no other.
func (m *Mux) writeLast(f frame) error {
	m.writeMu.Lock()
	defer m.writeMu.Unlock()
	if m.silent {
		return ErrQuiet
	}
	m.silent = true
	return m.writeFrames(f)
}

func (m *Mux) isSilent() bool {
	m.writeMu.Lock()
	defer m.writeMu.Unlock()
	return m.silent
}
