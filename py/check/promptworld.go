package check

import (
	"fmt"
	"slices"
	"strings"
)

// worldly are the calls that need something of the world, each with its module.
var worldly = []struct{ module, calls string }{
	{"datetime", "datetime.now(), date.today()"},
	{"time", "time.time(), time.sleep()"},
	{"random", "random before random.seed(n)"},
	{"uuid", "uuid.uuid4()"},
}

// promptWorld says what the modules have in Python and not here: there is
// nothing to take it from.
func promptWorld(b *strings.Builder, modules Modules) {
	if modules == nil {
		return
	}
	names := modules.Names()
	var calls []string
	for _, w := range worldly {
		if slices.Contains(names, w.module) {
			calls = append(calls, w.calls)
		}
	}
	if len(calls) > 0 {
		fmt.Fprintf(b, "There is no clock and no randomness; these raise RuntimeError: %s. Take dates and seeds from inputs or tools.\n",
			strings.Join(calls, ", "))
	}
}
