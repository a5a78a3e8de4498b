package check

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// Grants say what of the world a program may use besides its tools.
type Grants struct {
	Clock  bool // it can read a clock
	Random bool // it has randomness that it did not seed itself
}

// clocks are the functions that read a clock, and how many arguments there are
// at most if they do.
var clocks = map[string]int{
	"time.time": 0, "time.time_ns": 0, "time.monotonic": 0, "time.monotonic_ns": 0, "time.perf_counter": 0, "time.perf_counter_ns": 0,
	"time.process_time": 0, "time.process_time_ns": 0, "time.thread_time": 0, "time.thread_time_ns": 0,
	"time.gmtime": 0, "time.localtime": 0, "time.ctime": 0, "time.asctime": 0,
	"time.strftime": 1, "datetime.datetime.now": 1, "datetime.datetime.utcnow": 0, "datetime.datetime.today": 0,
	"datetime.date.today": 0, "uuid.uuid1": 2,
}

// randoms are the functions that need randomness in any case; those of the module
// random need it until they are seeded.
var randoms = []string{
	"uuid.uuid1", "uuid.uuid4", "random.SystemRandom", "secrets.token_bytes", "secrets.token_hex", "secrets.token_urlsafe",
	"secrets.choice", "secrets.randbelow", "secrets.randbits", "secrets.SystemRandom",
}

// drawing are the functions of the module random that draw.
var drawing = []string{
	"random", "uniform", "triangular", "randint", "choice", "randrange", "sample", "shuffle", "choices", "normalvariate",
	"lognormvariate", "expovariate", "vonmisesvariate", "gammavariate", "gauss", "betavariate", "paretovariate",
	"weibullvariate", "getrandbits", "randbytes", "getstate",
}

// ungranted finds calls that need a clock or randomness that is not granted.
func (c *checker) ungranted(n *syntax.Call) {
	if c.options.Modules == nil {
		return
	}
	name := c.origin(n.Fn)
	module, function, _ := strings.Cut(name, ".")
	if most, ok := clocks[name]; ok && !c.options.Grants.Clock && len(n.Args)+len(n.Keywords) <= most {
		c.find(NotGranted, n.Start, `grant clock "real" or "fixed:TIME", or take the time from an input or a tool`,
			"%s() reads a clock, and the program is granted none", name)
		return
	}
	switch {
	case c.options.Grants.Random:
	case slices.Contains(randoms, name):
		c.unseeded(n, name, "")
	case module == "random" && (function == "seed" || function == "setstate"):
		c.seeds = true
	case module == "random" && slices.Contains(drawing, function):
		c.drawn = append(c.drawn, drawnAt{n, name})
	}
}

// drawnAt is a call of the module random, which is wrong unless it is seeded.
type drawnAt struct {
	call *syntax.Call
	name string
}

// unseededDraws finds the draws of a program that never seeds.
func (c *checker) unseededDraws() {
	for _, d := range c.drawn {
		if !c.seeds {
			c.unseeded(d.call, d.name, ", or call random.seed(n) first")
		}
	}
}

func (c *checker) unseeded(n *syntax.Call, name, or string) {
	c.find(NotGranted, n.Start, `grant random "real" or "seeded:N"`+or, "%s() needs randomness, and the program is granted none", name)
}

// origin is what an expression names in a bundled module, such as
// datetime.datetime.now, or "".
func (c *checker) origin(e syntax.Expr) string {
	const deepest = 3 // no name of the tables has more dots
	path := ""
	for range deepest {
		attribute, ok := e.(*syntax.Attribute)
		if !ok {
			break
		}
		path = "." + attribute.Name + path
		e = attribute.X
	}
	name, ok := e.(*syntax.Name)
	if !ok {
		return ""
	}
	v := c.lookup(name.ID)
	if v == nil {
		return ""
	}
	if module, member := c.importOf(v); module+member != "" {
		return module + member + path
	}
	return ""
}
