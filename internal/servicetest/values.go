package servicetest

import (
	"math"
	"math/big"
	"strconv"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// samples are values of all types, those included that JSON alone would spoil.
func samples() map[string][]any {
	dict := value.NewDict()
	dict.Set("z", int64(1))
	dict.Set("a", int64(2))
	tag := value.NewDict()
	tag.Set("$bytes", "no tag")
	days := value.NewDictBy(value.KindDate)
	days.Set("2024-02-29", []any{int64(1)})
	years := value.NewDictBy(value.KindInt)
	years.Set("2024", value.Decimal("1.50"))
	leap := value.Date{Year: 2024, Month: 2, Day: 29}
	huge := new(big.Int).Exp(big.NewInt(10), big.NewInt(400), nil)
	noon := time.Date(2024, 2, 29, 12, 0, 0, 123456000, time.FixedZone("", 5400))
	return map[string][]any{
		"int":                    {int64(0), int64(math.MinInt64), huge, new(big.Int).Neg(huge)},
		"float":                  {0.0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, 1.0},
		"str":                    {"", "ä\n\"\x00😀", "\xed\xa0\x80", "<&>"},
		"bool":                   {true, false},
		"bytes":                  {[]byte{}, []byte{0, 255, 10}},
		"datetime":               {value.AwareDateTime(noon), value.NaiveDateTime(noon)},
		"timedelta":              {value.NewTimedelta(-time.Microsecond), value.Timedelta{Days: 999999999}},
		"date":                   {leap},
		"time":                   {value.TimeOfDay{Clock: time.Hour, Aware: true, Offset: time.Minute}, value.TimeOfDay{}},
		"Decimal":                {value.Decimal("1.50"), value.Decimal("-NaN"), value.Decimal("1E+30")},
		"UUID":                   {value.UUID{1, 15: 2}},
		"set[int]":               {value.Set{}, value.Set{int64(1), int64(2)}},
		"set[date]":              {value.Set{leap}},
		"dict[date, list[int]]":  {days},
		"dict[int, Decimal]":     {years},
		"Union[date, str]":       {leap, "2024-02-29"},
		"None":                   {nil},
		"list[int]":              {[]any{}, []any{int64(1), huge}},
		"list[tuple[int, str]]":  {[]any{value.Tuple{int64(1), "x"}}},
		"dict[str, int]":         {dict, value.NewDict()},
		"tuple[int, ...]":        {value.Tuple{}, value.Tuple{int64(1), int64(2)}},
		"Optional[float]":        {nil, math.Inf(1)},
		"Union[int, str, bytes]": {int64(1), "1", []byte("1")},
		"Any":                    {nil, value.Tuple{[]any{math.NaN(), huge}}, tag, []byte("x"), value.NaiveDateTime(noon)},
		"dict[str, list[Any]]":   {func() any { d := value.NewDict(); d.Set("k", []any{tag, 1.0}); return d }()},
	}
}

// text writes a value so that all that matters of it can be compared.
func text(v any) string {
	b, err := value.EncodeJSON(typ("Any"), v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// values: what goes in is what the code gets and what comes out, for every type.
func values(s *suite) {
	n := 0
	for t, all := range samples() {
		n++
		var got any
		echo := s.function("echo"+strconv.Itoa(n), "v: "+t, t, func(in map[string]any) (any, error) {
			got = in["v"]
			return in["v"], nil
		})
		flow := orchestrator("echo"+strconv.Itoa(n)+"(v)", "v: "+t, t, echo)
		for _, want := range all {
			out := s.value(flow, map[string]any{"v": want})
			if text(got) != text(want) || text(out) != text(want) {
				s.Errorf("%s: %s went in, the function got %s, and %s came out", t, text(want), text(got), text(out))
			}
		}
	}
}

// defaults: an input that is not given has its default, and the run says so.
func defaults(s *suite) {
	add := s.function("add", "x: int, y: int", "int", func(in map[string]any) (any, error) { return in["x"].(int64) + in["y"].(int64), nil })
	flow := orchestrator("add(x, y)", "x: int, y: int", "int", add)
	var err error
	flow.Signature.Inputs[1], err = flow.Signature.Inputs[1].WithDefault(40)
	s.must(err)
	if got := s.value(flow, map[string]any{"x": 2}); got != int64(42) {
		s.Errorf("with the default: %v", got)
	}
	if got := s.value(flow, map[string]any{"x": 2, "y": 1}); got != int64(3) {
		s.Errorf("without: %v", got)
	}
	run := s.submit(flow, map[string]any{"x": 2})
	in, err := api.DecodeFields("input", flow.Signature.Inputs, s.get(run.ID).Inputs)
	s.must(err)
	if in["y"] != int64(40) {
		s.Errorf("the inputs of the run: %v", in)
	}
}

// badInputs: inputs that are missing, unknown or of another type are refused
// before there is a run, and the error names them.
func badInputs(s *suite) {
	echo := s.function("echo", "x: int, y: str", "int", func(in map[string]any) (any, error) { return in["x"], nil })
	for name, test := range map[string]struct {
		inputs map[string]any
		field  string
	}{
		"missing": {map[string]any{"x": 1}, "y"},
		"unknown": {map[string]any{"x": 1, "y": "", "z": 1}, "z"},
		"type":    {map[string]any{"x": "1", "y": ""}, "x"},
		"float":   {map[string]any{"x": 1.5, "y": ""}, "x"},
		"none":    {map[string]any{"x": 1, "y": nil}, "y"},
		"strange": {map[string]any{"x": 1, "y": make(chan int)}, "y"},
	} {
		_, err := s.service.Submit(s.Context(), api.Submission{Task: &echo, Inputs: test.inputs})
		if e := s.wantCode(err, api.InvalidInput); e.Details.Field != test.field || e.Outcome != api.NotStarted {
			s.Errorf("%s: field %q, outcome %s", name, e.Details.Field, e.Outcome)
		}
	}
	page, err := s.service.Runs(s.Context(), api.RunQuery{})
	s.must(err)
	if len(page.Runs) != 0 {
		s.Errorf("%d runs of refused submissions", len(page.Runs))
	}
}

// badTasks: what is wrong with a task is said before there is a run.
func badTasks(s *suite) {
	tool, _ := s.counter("tool")
	twice := orchestrator("1", "", "int", tool, tool)
	for name, test := range map[string]struct {
		submission api.Submission
		code       api.Code
	}{
		"neither task nor name": {api.Submission{}, api.InvalidTask},
		"both":                  {api.Submission{Task: &tool, Name: "tool"}, api.InvalidTask},
		"syntax":                {api.Submission{Task: orchestrator("1 +", "", "int")}, api.SyntaxError},
		"no code":               {api.Submission{Task: orchestrator("", "", "int")}, api.InvalidTask},
		"a tool twice":          {api.Submission{Task: twice}, api.InvalidTask},
		"unknown kind":          {api.Submission{Task: &api.Task{Kind: "spell"}}, api.InvalidTask},
		"no function":           {api.Submission{Task: &api.Task{Kind: api.KindFunction}}, api.InvalidTask},
		"negative retries":      {api.Submission{Task: &api.Task{Kind: api.KindFunction, Function: tool.Function, Retries: -1}}, api.InvalidTask},
		"unknown cache mode":    {api.Submission{Task: &tool, Inputs: map[string]any{"x": 1}, Cache: "perhaps"}, api.InvalidTask},
	} {
		s.Run(name, func(t *testing.T) {
			_, err := s.service.Submit(t.Context(), test.submission)
			(&suite{T: t, service: s.service}).wantCode(err, test.code)
		})
	}
}
