package traceback

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestParseTraceback(t *testing.T) {
	const code = "import helper\n\ndef main():\n    x = 1\n    return helper.go(x) / 0\nmain()\n"
	tests := []struct {
		name   string
		stderr string
		want   *api.Exception
		last   bool
	}{
		{"with carets and a package", `noise
Traceback (most recent call last):
  File "/work/etl.py", line 6, in <module>
    main()
    ~~~~^^
  File "/work/etl.py", line 5, in main
    return helper.go(x) / 0
           ^^^^^^^^^^^^
  File "/opt/venv/lib/python3.12/site-packages/helper.py", line 9, in go
    raise KeyError("k")
KeyError: 'k'
`, &api.Exception{Type: "KeyError", Message: "'k'", Frames: []api.Frame{
			{File: "etl.py", Line: 6, Column: 1, Function: "<module>", Source: "main()"},
			{File: "etl.py", Line: 5, Column: 12, Function: "main", Source: "return helper.go(x) / 0"},
		}, Traceback: `Traceback (most recent call last):
  File "etl.py", line 6, in <module>
    main()
    ~~~~^^
  File "etl.py", line 5, in main
    return helper.go(x) / 0
           ^^^^^^^^^^^^
KeyError: 'k'
`}, true},
		{"syntax error", `  File "/work/etl.py", line 4
    x = = 1
        ^
SyntaxError: invalid syntax
`, &api.Exception{Type: "SyntaxError", Message: "invalid syntax", Frames: []api.Frame{
			{File: "etl.py", Line: 4, Column: 9, Source: "x = = 1"},
		}, Traceback: `Traceback (most recent call last):
  File "etl.py", line 4
    x = = 1
        ^
SyntaxError: invalid syntax
`}, true},
		{"no message", "Traceback (most recent call last):\n  File \"/work/etl.py\", line 1, in <module>\nAssertionError\n",
			&api.Exception{Type: "AssertionError", Frames: []api.Frame{{File: "etl.py", Line: 1, Function: "<module>"}},
				Traceback: "Traceback (most recent call last):\n  File \"etl.py\", line 1, in <module>\nAssertionError\n"}, true},
		{"text behind it", "Traceback (most recent call last):\n  File \"/work/etl.py\", line 1, in <module>\nValueError: a\nlast words\n",
			&api.Exception{Type: "ValueError", Message: "a\nlast words", Frames: []api.Frame{{File: "etl.py", Line: 1, Function: "<module>"}},
				Traceback: "Traceback (most recent call last):\n  File \"etl.py\", line 1, in <module>\nValueError: a\nlast words\n"}, false},
		{"group", `Traceback (most recent call last):
  File "/work/etl.py", line 4, in main
ValueError: an earlier one

During handling of the above exception, another exception occurred:

  + Exception Group Traceback (most recent call last):
  |   File "/work/etl.py", line 6, in <module>
  |     main()
  |   File "/usr/lib/python3.11/asyncio/taskgroups.py", line 147, in __aexit__
  |     raise me from None
  | ExceptionGroup: several
things (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/work/etl.py", line 5, in main
    |     return helper.go(x) / 0
    |   File "/usr/lib/python3.11/json/decoder.py", line 337, in decode
    |     obj, end = self.raw_decode(s, idx=_w(s, 0).end())
    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    | KeyError: 'k'
    +---------------- 2 ----------------
    | ExceptionGroup: in (1 sub-exception)
    +-+---------------- 1 ----------------
      | TypeError: t
      +------------------------------------
    +------------------------------------
`, &api.Exception{Type: "ExceptionGroup", Message: "several\nthings (2 sub-exceptions)", Frames: []api.Frame{
			{File: "etl.py", Line: 6, Function: "<module>", Source: "main()"},
		}, Traceback: `Traceback (most recent call last):
  File "etl.py", line 6, in <module>
    main()
ExceptionGroup: several
things (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "etl.py", line 5, in main
    |     return helper.go(x) / 0
    | KeyError: 'k'
    +---------------- 2 ----------------
    | ExceptionGroup: in (1 sub-exception)
    +-+---------------- 1 ----------------
      | TypeError: t
      +------------------------------------
    +------------------------------------
`}, true},
		{"text behind a group", "  + Exception Group Traceback (most recent call last):\n  | E: m (1 sub-exception)\n  +-+---------------- 1 ----------------\n" +
			"    | KeyError\n    +------------------------------------\nlast words\n",
			&api.Exception{Type: "E", Message: "m (1 sub-exception)", Traceback: "E: m (1 sub-exception)\n  +-+---------------- 1 ----------------\n" +
				"    | KeyError\n    +------------------------------------\n"}, false},
		{"group cut off", "  + Exception Group Traceback (most recent call last):\n  | E: m (1 sub-exception)\n  +-+---------------- 1 ----------------\n    | KeyError", nil, false},
		{"none", "just\ntext\n", nil, false},
		{"empty", "", nil, false},
		{"cut off", "Traceback (most recent call last):\n  File \"/work/etl.py\", line 1, in <module>", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, last := Parse(tt.stderr, "etl.py", code)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if last != tt.last {
				t.Errorf("last = %t, want %t", last, tt.last)
			}
		})
	}
}

func TestManyFrames(t *testing.T) {
	frames := strings.Repeat("  File \"/work/a.py\", line 1, in f\n", 5000)
	x, _ := Parse(Header+"\n"+frames+"RecursionError: deep\n", "a.py", "")
	if x == nil || len(x.Frames) != MaxFrames {
		t.Errorf("got %v, want %d frames", x, MaxFrames)
	}
}
