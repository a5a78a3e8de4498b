package modules_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
)

// TestModuleBounds has programs that ask native modules for too much. Each must
// end by a limit or an exception, in a time too short to notice.
func TestModuleBounds(t *testing.T) {
	const nested = "a = [1]\nfor i in range(40):\n    a = [a, a]\n"
	for _, c := range []struct{ name, source, want string }{
		{"dumps of shared parts", "import json\n" + nested + "json.dumps(a)", "memory"},
		{"dumps of shared parts by default", "import json\n" + nested + "json.dumps([a, {1}], default=list)", "memory"},
		{"dumps with a wide indent", "import json\njson.dumps([1], indent=10**9)", "memory"},
		{"dumps with a deep indent", "import json\na = 1\nfor i in range(900):\n    a = [a]\njson.dumps(a, indent=10**5)", "memory"},
		{"dumps too deep", "import json\na = 1\nfor i in range(100000):\n    a = [a]\njson.dumps(a)", "RecursionError"},
		{"loads too deep", "import json\njson.loads('[' * 10**6)", "RecursionError"},
		{"loads too deep with a hook", "import json\njson.loads('[' * 10**6, object_hook=len)", "RecursionError"},
		{"loads of many values", "import json\njson.loads('[' + '[],' * 10**6 + '1]')", "memory"},
		{"an exponential pattern", "import re\nre.match('(a*)*b', 'a' * 5000)\n1", ""},
		{"findall of many", "import re\nre.findall('', 'a' * 10**6)", "memory"},
		{"sub that grows", `import re` + "\n" + `re.sub("", "x" * 1000, "a" * 10**6)`, "memory"},
		{"sub by a function that grows", `import re` + "\n" + `re.sub("", lambda m: "x" * 1000, "a" * 10**6)`, "memory"},
		{"patterns without number", "import re\nfor i in range(3000):\n    re.compile('a' * 300 + str(i))\n1", ""},
		{"a pattern that repeats itself", "import re\nre.compile('(?:a{1000}){1000}')", "memory re.error"},
		{"strftime without end", "import datetime\ndatetime.date(2024, 1, 1).strftime('%999999999Y')", ""},
		{"a decimal of many digits", "import decimal\nint(decimal.Decimal('1e999999999'))", "memory OverflowError"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := eval(t, c.source)
			if got := ending(m); !oneOf(got, c.want) {
				t.Errorf("ends with %q, want %q", got, c.want)
			}
		})
	}
}

// ending is the limit or the exception that ended a program.
func ending(m *machine.Machine) string {
	var limit *machine.LimitError
	var exc *machine.Exception
	switch err := m.Failure(); {
	case errors.As(err, &limit):
		return string(limit.Limit)
	case errors.As(err, &exc):
		return exc.Class
	case err != nil:
		return err.Error()
	}
	return ""
}

func oneOf(got, words string) bool {
	if words == "" {
		return got == ""
	}
	return slices.Contains(strings.Fields(words), got)
}
