package guest

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// machineFile names the machine for its programs, see machine-id(5).
const machineFile = "/etc/machine-id"

// renew makes a restored cell another one than those of the same state: programs
// that look can learn of it. What cannot be written is left: the image may have no
// such place, and the cell is still what was asked for.
func (g *server) renew(greeting wire.Greeting) {
	g.generation++
	_ = replace(wire.GenerationFile, strconv.FormatUint(g.generation, 10)+"\n")
	if greeting.Machine != "" {
		_ = replace(machineFile, greeting.Machine+"\n")
	}
	_ = g.hosts.renew()
}

// replace puts a new file in the place of another one, whatever that is: what it
// leads to is neither opened nor waited for.
func replace(path, content string) error {
	next, err := os.CreateTemp(filepath.Dir(path), ".next-")
	if err != nil {
		return err
	}
	_, err = next.WriteString(content)
	if err == nil {
		err = next.Chmod(0o444)
	}
	next.Close()
	if err == nil {
		err = os.Rename(next.Name(), path)
	}
	if err != nil {
		os.Remove(next.Name())
	}
	return err
}
