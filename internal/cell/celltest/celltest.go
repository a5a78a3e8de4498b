// Package celltest is the conformance suite of cells: what every driver must
// do, whatever its technology. A driver's test is
//
//	func TestMain(m *testing.M) {
//		celltest.Helper(newDriver) // plays the owner that is killed, if asked to
//		os.Exit(m.Run())
//	}
//
//	func TestDriver(t *testing.T) {
//		celltest.Run(t, celltest.Config{NewDriver: newDriver})
//	}
//
// The suite starts real cells. It runs as root and as an ordinary user; both
// must pass. Tests whose names begin with a letter and two digits are the
// attacks of docs/THREAT_MODEL.md.
package celltest

import (
	"os"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

// Config says what to judge.
type Config struct {
	// NewDriver makes a driver that keeps what it needs on the host below dir,
	// a private directory. When every cell is closed, dir holds no file.
	NewDriver func(dir string) (cell.Driver, error)
	// RootFS is the root file system of the cells; empty takes that of RootFS.
	RootFS string
	// Allow names the entries below dir that may outlive the cells, such as a
	// lock file.
	Allow []string
}

// RealVariable names the environment variable that allows tests to start real
// cells: "1". Without it such tests are skipped, by name.
const RealVariable = "GLOVEBOX_TEST_REAL"

// NeedReal skips a test that starts cells unless the environment allows it.
func NeedReal(t testing.TB) {
	t.Helper()
	if os.Getenv(RealVariable) != "1" {
		t.Skipf("%s starts real cells: set %s=1, as make test does", t.Name(), RealVariable)
	}
}

// check is one property of a driver.
type check struct {
	name string
	run  func(*testing.T, *suite)
}

// group is a topic of the suite.
type group struct {
	name   string
	checks []check
}

func groups() []group {
	return []group{
		{"Programs", programChecks},
		{"Streams", streamChecks},
		{"Control", controlChecks},
		{"Launched", launchChecks()},
		{"Ahead", aheadChecks},
		{"Processes", processChecks},
		{"Terminals", terminalChecks},
		{"Filesystem", filesystemChecks},
		{"Watch", watchChecks},
		{"Dial", dialChecks},
		{"Visible", visibleChecks},
		{"Files", fileChecks},
		{"Layers", layerChecks},
		{"Begins", beginChecks},
		{"Freeze", freezeChecks},
		{"Save", saveChecks},
		{"Network", networkChecks},
		{"Limits", limitChecks},
		{"Wall", wallChecks},
		{"Host", hostChecks},
		{"Images", imageChecks},
		{"Leaks", leakChecks},
	}
}

// Run judges a driver.
func Run(t *testing.T, cfg Config) {
	NeedReal(t)
	s := newSuite(t, cfg)
	if !t.Run("Starts", func(t *testing.T) { s.open(t).python("print('up')").prints(t, "up\n") }) {
		t.Fatal("no cell can be started, so there is nothing to judge")
	}
	for _, g := range groups() {
		t.Run(g.name, func(t *testing.T) {
			for _, c := range g.checks {
				t.Run(c.name, func(t *testing.T) { c.run(t, s) })
			}
		})
	}
}
