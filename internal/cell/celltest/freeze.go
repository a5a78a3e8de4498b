package celltest

import (
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

var freezeChecks = []check{
	{"a frozen program", freezeStops},
	{"often", freezeOften},
	{"changes of a frozen cell", freezeLayer},
	{"a frozen cell is closed", freezeClose},
}

// countsUp is a program that counts in a file, and says when it has begun.
const countsUp = `
import os, time
n = 0
while True:
    n += 1
    with open("/work/next", "w") as f: f.write(str(n))
    os.rename("/work/next", "/work/count")
    if n == 1: os.write(4, b".")
    time.sleep(0.001)
`

// counting begins a program that counts.
func (x *session) counting(t *testing.T) *cell.Process {
	t.Helper()
	p, err := x.begin("#late\n" + countsUp)
	if err != nil {
		t.Fatalf("starting a program that counts: %v", describe(err))
	}
	if err := p.Ready(x.ctx); err != nil {
		t.Fatalf("waiting for the program: %v", describe(err))
	}
	return p
}

// count reads how far the program is, from the layer: that needs no program.
func (x *session) count(t *testing.T) string {
	t.Helper()
	_, contents := x.contents()
	return contents["work/count"]
}

func (x *session) freeze(t *testing.T) {
	t.Helper()
	if err := x.cell.Freeze(x.ctx); err != nil {
		t.Fatalf("freezing: %v", describe(err))
	}
}

func (x *session) thaw(t *testing.T) {
	t.Helper()
	if err := x.cell.Thaw(x.ctx); err != nil {
		t.Fatalf("thawing: %v", describe(err))
	}
}

func freezeStops(t *testing.T, s *suite) {
	x := s.open(t)
	x.counting(t)
	x.freeze(t)
	before := x.count(t)
	cpu := x.cell.Usage().CPU
	time.Sleep(300 * time.Millisecond)
	if now := x.count(t); now != before || now == "" {
		t.Errorf("a frozen program counted from %q to %q", before, now)
	}
	if used := x.cell.Usage().CPU - cpu; used > 200*time.Millisecond {
		t.Errorf("a frozen cell used %s of processor time", used)
	}
	x.thaw(t)
	for deadline := time.Now().Add(patience); x.count(t) == before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the program does not go on")
		}
	}
}

// freezeOften also freezes what is frozen, and thaws what is not.
func freezeOften(t *testing.T, s *suite) {
	x := s.open(t)
	for range 20 {
		x.freeze(t)
		x.freeze(t)
		x.thaw(t)
		x.thaw(t)
	}
	x.python("print('alive')").prints(t, "alive\n")
}

// freezeLayer takes the layer of one moment, and of later ones.
func freezeLayer(t *testing.T, s *suite) {
	x := s.open(t)
	for _, want := range []string{"one", "two", "three"} {
		x.python("open('/work/state', 'w').write('" + want + "'); open('/work/" + want + "', 'w').close()").succeeds(t)
		for _, frozen := range []bool{false, true} {
			if frozen {
				x.freeze(t)
			}
			headers, contents := x.contents()
			if _, ok := headers["work/"+want]; !ok || contents["work/state"] != want {
				t.Errorf("frozen %v: the layer has %q, want %q, and %d entries", frozen, contents["work/state"], want, len(headers))
			}
		}
		x.thaw(t)
	}
}

func freezeClose(t *testing.T, s *suite) {
	x := s.open(t)
	x.counting(t)
	x.freeze(t)
	x.death()
	s.nothingRuns(t, x.spec.ID)
}
