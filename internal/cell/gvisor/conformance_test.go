package gvisor_test

import (
	"os"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/celltest"
	"github.com/glovebox-dev/glovebox/internal/cell/gvisor"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

func TestMain(m *testing.M) {
	if runsc.IsReexec() {
		runsc.Main()
	}
	runsc.CloseOnExec()
	celltest.Helper(newDriver)
	os.Exit(m.Run())
}

func newDriver(dir string) (cell.Driver, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return gvisor.New(gvisor.Config{Program: program, Dir: dir})
}

func TestConformance(t *testing.T) {
	celltest.Run(t, celltest.Config{NewDriver: newDriver})
}
