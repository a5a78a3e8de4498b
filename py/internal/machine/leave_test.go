package machine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/value"
)

// leaves runs a program and returns its result, as JSON of a declared type.
func leaves(t *testing.T, source, declared string) (string, error) {
	t.Helper()
	m := eval(t, source)
	if m.Status() != Done {
		t.Fatal(m.Failure())
	}
	typ := value.MustType(declared)
	v, err := m.Export(m.Result(), typ)
	if err != nil {
		return "", err
	}
	text, err := value.EncodeJSON(typ, v)
	return string(text), err
}

const shapes = `
import collections, dataclasses, datetime, decimal, enum, typing, uuid
from datetime import date, datetime as dt, time, timedelta, timezone
from decimal import Decimal
from uuid import UUID
class Color(enum.Enum):
    RED = 'red'
    BOTH = ('a', 1)
class Level(enum.IntEnum):
    LOW = 1
class Perm(enum.Flag):
    R = 4
    W = 2
@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5
    tags: set = dataclasses.field(default_factory=set)
    count: typing.ClassVar[int] = 3
@dataclasses.dataclass(frozen=True)
class Line:
    a: Point
    b: Point
class Named(typing.NamedTuple):
    a: int
    b: str
day = date(2024, 2, 29)
`

// TestLeaving: what a program ends with leaves as plain JSON where nothing is
// declared, and as what it is where it is.
func TestLeaving(t *testing.T) {
	for _, c := range []struct{ source, declared, want string }{
		{"{3, 1, 2}", "Any", "[3,1,2]"},
		{"frozenset('a')", "Any", `["a"]`},
		{"{3, 10, 2}", "set[int]", "[10,2,3]"},
		{"frozenset({day})", "set[date]", `["2024-02-29"]`},
		{"{(1, day)}", "set[tuple[int, date]]", `[[1,"2024-02-29"]]`},
		{"day", "Any", `"2024-02-29"`},
		{"day", "date", `"2024-02-29"`},
		{"[day]", "list[Optional[date]]", `["2024-02-29"]`},
		{"day", "Union[date, str]", `{"$date":"2024-02-29"}`},
		{"time(13, 5, 9, 120)", "Any", `"13:05:09.000120"`},
		{"time(13, 5, tzinfo=timezone(timedelta(hours=-1)))", "time", `"13:05:00-01:00"`},
		{"dt(2024, 1, 2)", "datetime", `"2024-01-02T00:00:00"`},
		{"Decimal('1.50')", "Any", `"1.50"`},
		{"Decimal('-1E+30')", "Decimal", `"-1E+30"`},
		{"Decimal('NaN')", "Decimal", `"NaN"`},
		{"7", "Decimal", `"7"`},
		{"UUID(int=255)", "Any", `"00000000-0000-0000-0000-0000000000ff"`},
		{"UUID(int=1 << 127)", "UUID", `"80000000-0000-0000-0000-000000000000"`},
		{"[Color.RED, Color.BOTH, Level.LOW, Perm.R | Perm.W]", "Any", `["red",{"$tuple":["a",1]},1,6]`},
		{"Color.RED", "str", `"red"`},
		{"Level.LOW", "int", "1"},
		{"Point(1, tags={2})", "Any", `{"x":1,"y":0.5,"tags":[2]}`},
		{"Line(Point(1), Point(2))", "dict[str, dict[str, Any]]", `{"a":{"x":1,"y":0.5,"tags":[]},"b":{"x":2,"y":0.5,"tags":[]}}`},
		{"Named(1, 'b')", "Any", `{"$tuple":[1,"b"]}`},
		{"collections.deque([1, 2, 3])", "Any", "[1,2,3]"},
		{"d = collections.deque([3]); d.appendleft(2); d.appendleft(1); d", "list[int]", "[1,2,3]"},
		{"collections.Counter('aab')", "dict[str, int]", `{"a":2,"b":1}`},
		{"{'a': 1}.keys()", "Any", `["a"]`},
		{"{'a': 1}.values()", "list[int]", "[1]"},
		{"{'a': day}.items()", "Any", `[{"$tuple":["a","2024-02-29"]}]`},
		{"range(5, 0, -2)", "list[int]", "[5,3,1]"},
		{"{2023: 1.5}", "Any", `{"2023":1.5}`},
		{"{2024: 1, 2023: 2}", "dict[int, int]", `{"2024":1,"2023":2}`},
		{"{10**30: 1}", "dict[int, int]", `{"1000000000000000000000000000000":1}`},
		{"{True: 1}", "dict[bool, int]", `{"true":1}`},
		{"{day: {True: 1}}", "Any", `{"2024-02-29":{"true":1}}`},
		{"{day: 1}", "dict[date, int]", `{"2024-02-29":1}`},
		{"{None: 1, 1.5: 2, 'a': 3, float('inf'): 4, 7: 5}", "Any", `{"null":1,"1.5":2,"a":3,"Infinity":4,"7":5}`},
		{"{Color.RED: 1, Level.LOW: 2}", "Any", `{"red":1,"1":2}`},
		{"{Level.LOW: 2}", "dict[int, int]", `{"1":2}`},
		{"{Decimal('1.0'): 1, UUID(int=0): 2, dt(2024, 1, 1): 3}", "Any",
			`{"1.0":1,"00000000-0000-0000-0000-000000000000":2,"2024-01-01T00:00:00":3}`},
		{"{}", "dict[date, int]", "{}"},
		{"from zoneinfo import ZoneInfo\ndt(2024, 7, 1, tzinfo=ZoneInfo('Europe/Paris'))", "datetime", `"2024-07-01T00:00:00+02:00"`},
		{"from zoneinfo import ZoneInfo\n[dt(2024, 10, 27, 2, 30, fold=f, tzinfo=ZoneInfo('Europe/Paris')) for f in (0, 1)]", "list[datetime]",
			`["2024-10-27T02:30:00+02:00","2024-10-27T02:30:00+01:00"]`},
		{"import types\ntypes.SimpleNamespace(a=1, b={2})", "Any", `{"a":1,"b":[2]}`},
		{"class A:\n    def __init__(self): self.x, self._y = 1, {2}\n{'a': A()}", "dict[str, dict[str, Any]]", `{"a":{"x":1,"_y":[2]}}`},
		{"import abc\nclass A(abc.ABC): pass\nclass B(A):\n    __slots__ = ('x',)\n    def __init__(self): self.x = 1\nB()", "Any", `{"x":1}`},
		{"from fractions import Fraction\n[Fraction(6, 4), Fraction(2)]", "Any", `["3/2","2"]`},
		{"{(2024, 'Q1'): 1, (2024, 'Q2'): 2}", "Any", `{"(2024, 'Q1')":1,"(2024, 'Q2')":2}`},
	} {
		t.Run(c.source+" as "+c.declared, func(t *testing.T) {
			got, err := leaves(t, shapes+c.source, c.declared)
			if err != nil || got != c.want {
				t.Errorf("got %s, %v; want %s", got, err, c.want)
			}
		})
	}
}

// TestNotLeaving: the error names the part that cannot leave.
func TestNotLeaving(t *testing.T) {
	for _, c := range []struct{ source, declared, want string }{
		{"len", "Any", "a value of type 'builtin_function_or_method' cannot leave the program; call it"},
		{"[1, {'a': (i for i in 'a')}]", "Any", `[1]["a"]: a value of type 'generator' cannot leave the program; use list(...)`},
		{"map(str, [1])", "Any", "use list(...)"},
		{"class A: pass\n[A()]", "Any", "[0]: a value of type 'A' cannot leave the program; use a dict, a tuple or a dataclass"},
		{"Line(1, len)", "Any", ".b: a value of type"},
		{"x = []; x.append(x); x", "Any", "nested too deeply or contains itself"},
		{"{b'a': 3}", "Any", "a dict with a key of type 'bytes' cannot leave the program; use keys that are str, int, bool, a date or a tuple of them"},
		{"{(1, len): 3}", "dict[str, int]", "expected str as the key of a dict, got"},
		{"{1: 2, '1': 3}", "Any", `two keys of a dict that leaves the program have the text "1"`},
		{"{1: 2}", "dict[str, int]", `["1"]: expected str as the key of a dict, got int 1`},
		{"{1: 2, 'a': 3}", "dict[int, int]", `["1"]: expected int as the key of a dict, got keys of other types`},
		{"{1}", "list[int]", "expected list[int], got set of length 1"},
		{"day", "str", "expected str, got date 2024-02-29"},
		{"day", "datetime", "expected datetime, got date 2024-02-29"},
		{"Decimal('1.5')", "float", "expected float, got Decimal 1.5"},
		{"class Z(datetime.tzinfo):\n    def utcoffset(self, d): return timedelta(0)\n[dt(2024, 1, 1, tzinfo=Z())]", "Any",
			"[0]: a value of type 'datetime' with a tzinfo of its own cannot leave the program"},
	} {
		t.Run(c.source+" as "+c.declared, func(t *testing.T) {
			got, err := leaves(t, shapes+c.source, c.declared)
			var e *Exception
			if !errors.As(err, &e) || !strings.Contains(e.Message, c.want) {
				t.Errorf("got %s, %v; want %s", got, err, c.want)
			}
		})
	}
}

// TestEntering gives a program what is no JSON, and takes it back as it is.
func TestEntering(t *testing.T) {
	leap := value.Date{Year: 2024, Month: 2, Day: 29}
	days := value.NewDictBy(value.KindDate)
	days.Set("2024-02-29", int64(1))
	years := value.NewDictBy(value.KindInt)
	years.Set("2024", leap)
	flags := value.NewDictBy(value.KindBool)
	flags.Set("true", "yes")
	clock := value.TimeOfDay{Clock: 13*time.Hour + 5*time.Microsecond, Aware: true, Offset: -90 * time.Minute}
	for _, c := range []struct {
		source, declared string
		in               any
	}{
		{"assert x.isoformat() == '2024-02-29' and x.weekday() == 3\nx", "date", leap},
		{"assert x.hour == 13 and x.microsecond == 5\nx", "time", clock},
		{"assert str(x * 2) == '3.00'\nx", "Decimal", value.Decimal("1.50")},
		{"assert x.is_nan()\nx", "Decimal", value.Decimal("-NaN12")},
		{"assert x.int == 255\nx", "UUID", value.UUID{15: 255}},
		{"assert 3 in x and type(x) is set\nx", "set[int]", value.Set{int64(1), int64(3)}},
		{"import datetime\nassert datetime.date(2024, 2, 29) in x\nx", "set[date]", value.Set{leap}},
		{"import decimal\nassert decimal.Decimal('1.5') in x\nx", "set[Decimal]", value.Set{value.Decimal("1.50")}},
		{"assert frozenset({1}) in x\nx", "set[set[int]]", value.Set{value.Set{int64(1)}}},
		{"import datetime\nassert x[datetime.date(2024, 2, 29)] == 1\nx", "dict[date, int]", days},
		{"assert x[2024].day == 29\nx", "dict[int, date]", years},
		{"assert x[True] == 'yes'\nx", "dict[bool, str]", flags},
		{"import datetime\nassert (1, datetime.date(2024, 2, 29)) in x\nx", "set[tuple[int, date]]", value.Set{value.Tuple{int64(1), leap}}},
	} {
		t.Run(c.declared, func(t *testing.T) {
			got, err := exported(t, c.source, c.in, value.MustType(c.declared))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.in, got, cmp.AllowUnexported(value.Dict{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestEnteringLate answers a call deep in a program with values that code of
// bundled modules makes.
func TestEnteringLate(t *testing.T) {
	days := value.NewDictBy(value.KindDate)
	days.Set("2024-02-29", value.Set{value.Decimal("1.5")})
	p := toolProgram(t, "def f(a, b):\n    d = tool_echo(a)\n    return [a, b, repr(d)]\nf(1, [2, f(3, 4)])")
	m := New(p, testLimits, Host{})
	m.Start(context.Background())
	for m.Status() == Waiting {
		m.Resume(context.Background(), []Answer{{ID: m.Calls()[0].ID, Value: days}})
	}
	if err := m.Failure(); err != nil {
		t.Fatal(err)
	}
	const one = "{datetime.date(2024, 2, 29): {Decimal('1.5')}}"
	const want = "[1, [2, [3, 4, \"" + one + "\"]], \"" + one + "\"]"
	if got, err := m.Repr(); err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

// TestEnteringChanged: a program that put its own methods into the classes of
// what enters cannot have code of its own run while it waits.
func TestEnteringChanged(t *testing.T) {
	m := New(toolProgram(t, "import datetime\nclass D(datetime.date): pass\ndatetime.date.__hash__ = lambda self: tool_echo(1)\ntool_echo(2)"), testLimits, Host{})
	m.Start(context.Background())
	if m.Status() == Waiting {
		m.Resume(context.Background(), []Answer{{ID: m.Calls()[0].ID, Value: value.Set{value.Date{Year: 2024, Month: 1, Day: 1}}}})
	}
	var e *Exception
	if !errors.As(m.Failure(), &e) || e.Class != "TypeError" {
		t.Errorf("got %v, status %v", m.Failure(), m.Status())
	}
}

// TestLeavingCalls saves a program that waits with arguments of all types, and
// continues with the loaded one.
func TestLeavingCalls(t *testing.T) {
	leap := value.Date{Year: 2024, Month: 2, Day: 29}
	days := value.NewDictBy(value.KindDate)
	days.Set("2024-02-29", leap)
	years := value.NewDictBy(value.KindInt)
	years.Set("-7", value.Decimal("1.50"))
	want := []any{value.Set{int64(1), leap}, days, years, value.TimeOfDay{Clock: time.Hour, Aware: true, Offset: -time.Minute}, value.UUID{1, 15: 2}, value.DateTime{Wall: leap.Time()}}
	m := New(toolProgram(t, "tool_echo(1)"), testLimits, Host{})
	m.Start(context.Background())
	m.Calls()[0].Args = []any{want}
	again := reload(t, m)
	if diff := cmp.Diff([]any{want}, again.Calls()[0].Args, cmp.AllowUnexported(value.Dict{})); diff != "" {
		t.Error(diff)
	}
}
