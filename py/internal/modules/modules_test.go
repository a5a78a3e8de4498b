package modules_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/builtins"
	"github.com/glovebox-dev/glovebox/py/internal/compile"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/modules"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

func TestMain(m *testing.M) {
	machine.Boot(modules.Define)
	os.Exit(m.Run())
}

var limits = machine.Limits{Memory: 50 << 20, Steps: 1 << 40, Time: 30 * time.Second, Depth: 256, Output: 1 << 20, Calls: 1000}

// eval runs a program, whose last expression is its result.
func eval(t testing.TB, source string) *machine.Machine {
	t.Helper()
	file, err := syntax.Parse("<code>", source)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := compile.Compile(file, compile.Options{Name: "<code>", Builtin: builtins.Is, Result: true})
	if err != nil {
		t.Fatal(err)
	}
	m := machine.New(machine.Link(mod, nil, nil), limits, machine.Host{})
	m.Start(context.Background())
	return m
}

// TestDefine finds every native module, and with a state of its own each
// program.
func TestDefine(t *testing.T) {
	known := machine.NativeModules()
	for _, name := range []string{
		"_calendar", "_decimal", "_json", "_random", "_time", "_zoneinfo", "ast", "base64", "binascii", "hashlib", "_html",
		"math", "re", "_struct", "unicodedata", "zlib",
	} {
		if !slices.Contains(known, name) {
			t.Errorf("there is no module %s", name)
		}
	}
}

// TestStates has two programs that compile patterns, formats, dates and
// decimals: neither sees what the other keeps.
func TestStates(t *testing.T) {
	const source = `
import re, datetime, decimal
re.compile('a+')
datetime.datetime.strptime('2024-01-02', '%Y-%m-%d') + datetime.timedelta(days=1)
decimal.getcontext().prec = 5
str(decimal.Decimal(1) / 3)
`
	for range 2 {
		m := eval(t, source)
		if s, err := m.Repr(); err != nil || s != "'0.33333'" {
			t.Errorf("the result is %s, %v; failure %v", s, err, m.Failure())
		}
	}
}
