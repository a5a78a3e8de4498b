package autoio_test

import (
	"bytes"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/sandbox/autoio"
	"github.com/glovebox-dev/glovebox/internal/tuning"
)

// Every cell that starts gets the program, so it is made once for each state of
// the switch that changes it.
func TestProgramIsMadeOnce(t *testing.T) {
	defer func() { _ = tuning.Set("") }()
	var programs [][]byte
	for _, off := range []string{"", "-rehearsal"} {
		if err := tuning.Set(off); err != nil {
			t.Fatal(err)
		}
		program := autoio.Program()
		if &program[0] != &autoio.Program()[0] {
			t.Errorf("%q: the program is made for each cell", off)
		}
		programs = append(programs, program)
	}
	if bytes.Equal(programs[0], programs[1]) {
		t.Error("the switch changes nothing")
	}
}
