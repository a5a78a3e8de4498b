package check

import "testing"

// TestGrants finds what reads a clock or draws, unless that is granted.
func TestGrants(t *testing.T) {
	const (
		clock  = ` reads a clock, and the program is granted none; grant clock "real" or "fixed:TIME", or take the time from an input or a tool`
		random = ` needs randomness, and the program is granted none; grant random "real" or "seeded:N"`
		seed   = ", or call random.seed(n) first"
	)
	none := extended()
	none.Modules = anyModule{}
	both := none
	both.Grants = Grants{Clock: true, Random: true}
	for source, want := range map[string]string{
		"from datetime import datetime\ndatetime.now().isoformat()":           "line 2, column 1: datetime.datetime.now()" + clock,
		"from datetime import datetime, timezone\ndatetime.now(timezone.utc)": "line 2, column 1: datetime.datetime.now()" + clock,
		"import datetime as dt\ndt.date.today()":                              "line 2, column 1: datetime.date.today()" + clock,
		"from datetime import date\ndate.today()":                             "line 2, column 1: datetime.date.today()" + clock,
		"import time\ndef f():\n    return time.time()\nf()":                  "line 3, column 12: time.time()" + clock,
		"from time import perf_counter as now\nnow()":                         "line 2, column 1: time.perf_counter()" + clock,
		"import time\ntime.strftime('%Y')":                                    "line 2, column 1: time.strftime()" + clock,
		"import random\nrandom.random()":                                      "line 2, column 1: random.random()" + random + seed,
		"from random import choice\nchoice([1])":                              "line 2, column 1: random.choice()" + random + seed,
		"import uuid\nstr(uuid.uuid4())":                                      "line 2, column 5: uuid.uuid4()" + random,
		"import secrets\nsecrets.token_hex(8)":                                "line 2, column 1: secrets.token_hex()" + random,
	} {
		expect(t, source, none, want)
		expect(t, source, both)
	}
	for _, source := range []string{
		"import random\nrandom.seed(1)\nrandom.random()", "import random\ndef f(): return random.random()\nrandom.seed(1)\nf()",
		"import random\nrandom.Random(1).random()", "import time\ntime.gmtime(0)", "import time\ntime.strftime('%Y', time.gmtime(0))",
		"import uuid\nuuid.uuid5(uuid.NAMESPACE_DNS, 'x')", "from datetime import datetime\ndatetime(2024, 1, 1)",
		"class datetime:\n    def now(self): return 1\ndatetime().now()", "import time\nawait_ = time.sleep\nawait_(1)",
	} {
		expect(t, source, none)
	}
}
