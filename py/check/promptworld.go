package check

import (
	"fmt"
	"slices"
	"strings"
)

// promptWorld says what the modules have in Python and not here, because it was
// not granted.
func promptWorld(b *strings.Builder, o Options) {
	if o.Modules == nil {
		return
	}
	names := o.Modules.Names()
	if clocks := callsOf(names, "datetime", "datetime.now(), date.today()", "time", "time.time()"); !o.Grants.Clock && clocks != "" {
		fmt.Fprintf(b, "There is no clock: %s and the like raise RuntimeError. Take the time from an input or a tool.\n", clocks)
	}
	if draws := callsOf(names, "random", "random until random.seed(n)", "uuid", "uuid.uuid4()"); !o.Grants.Random && draws != "" {
		fmt.Fprintf(b, "There is no randomness: %s and the like raise RuntimeError.\n", draws)
	}
}

// callsOf lists the calls of pairs of a module and calls whose module is there.
func callsOf(modules []string, pairs ...string) string {
	var calls []string
	for i := 0; i < len(pairs); i += 2 {
		if slices.Contains(modules, pairs[i]) {
			calls = append(calls, pairs[i+1])
		}
	}
	return strings.Join(calls, ", ")
}
