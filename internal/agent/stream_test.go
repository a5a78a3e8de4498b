package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/callertest"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
)

// pieces is a model whose answers come piece by piece: each is a list of what comes.
type pieces struct {
	answers [][]string
	stop    api.ModelStop // of the first answer
	asked   []api.ModelRequest
	names   map[string][]string
	rests   []api.ModelRest
	log     []string // what was done, in its order
}

func writes(answers ...[]string) *pieces {
	return &pieces{answers: answers, stop: api.StopEnd, names: map[string][]string{}}
}

func (p *pieces) fake() *fake {
	logged := func(tool func(map[string]any) (any, error), name string) func(map[string]any) (any, error) {
		return func(in map[string]any) (any, error) {
			p.log = append(p.log, fmt.Sprint(name, in["x"]))
			return tool(in)
		}
	}
	return &fake{tools: map[string]func(map[string]any) (any, error){
		"model": p.ask, "model-rest": p.rest,
		"double": logged(func(in map[string]any) (any, error) { return 2 * in["x"].(int64), nil }, "double"),
		"broken": logged(func(map[string]any) (any, error) { return nil, errors.New("no") }, "broken"),
	}}
}

func readQuestion(in map[string]any) (r api.ModelRequest, err error) {
	return r, question.FromValue(api.ModelSignature().Inputs[0].Type, in["request"], &r)
}

func (p *pieces) ask(in map[string]any) (any, error) {
	r, err := readQuestion(in)
	if err != nil {
		return nil, err
	}
	p.asked = append(p.asked, r)
	p.names[r.Pieces] = p.answers[len(r.Messages)/2]
	return p.answer(r.Pieces, 0)
}

func (p *pieces) rest(in map[string]any) (any, error) {
	r, err := readQuestion(in)
	if err != nil {
		return nil, err
	}
	p.rests = append(p.rests, *r.Rest)
	all, n := p.names[r.Rest.Pieces], 0
	for given := 0; given < r.Rest.After; n++ {
		given += len(all[n])
	}
	p.log = append(p.log, fmt.Sprintf("piece %d", n+1))
	return p.answer(r.Rest.Pieces, n)
}

func (p *pieces) answer(name string, n int) (any, error) {
	all := p.names[name]
	a := api.ModelAnswer{Text: all[n], Stop: api.StopMore}
	if n == len(all)-1 {
		a.Stop, a.Usage = api.StopEnd, api.ModelUsage{Input: 10, Output: 5}
		if len(p.asked) == 1 {
			a.Stop = p.stop
		}
	}
	return question.AsValue(api.ModelSignature().Outputs[0].Type, a)
}

// heard is what the model heard of its answer number n.
func (p *pieces) heard(n int) string { return p.asked[n].Messages[2*n].Text }

func streamingTask() *api.Task {
	task := agentTask(toolTask("double", "int", callertest.Param("x", "int")), toolTask("broken", "int", callertest.Param("x", "int")))
	task.Agent.Streaming = true
	return task
}

// stream runs an agent whose model writes piece by piece.
func stream(t *testing.T, p *pieces) *api.Result {
	t.Helper()
	result, err := run(t, streamingTask(), p.fake(), map[string]any{"message": "go"})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestStreaming: a statement runs before the model has written the next, and what
// the model hears at the end is that of the whole block.
func TestStreaming(t *testing.T) {
	p := writes(
		[]string{"I try.\n```python\nprint(double(1))\nx", " = double(2)\nfor i in range(2):\n", "    double(10 + i)\ny = x", " + 1\ny\n```\nProse.\n```python\ndouble(99)\n```"},
		[]string{"It is 5."})
	result := stream(t, p)
	want := []string{"double1", "piece 2", "double2", "piece 3", "double10", "double11", "piece 4"}
	if d := cmp.Diff(want, p.log); d != "" {
		t.Error(d)
	}
	if got := result.Outputs[0].Value; got != "It is 5." || p.heard(1) != "Printed:\n2\nValue:\n5" {
		t.Errorf("%v, heard %q", got, p.heard(1))
	}
	if said := p.asked[1].Messages[1].Text; said != strings.Join(p.answers[0], "") {
		t.Errorf("the conversation has %q", said)
	}
}

// TestStreamingFailures: what a block did before it failed is said, and is not done
// again by one that is mended.
func TestStreamingFailures(t *testing.T) {
	for name, c := range map[string]struct {
		first []string
		heard string
		log   []string
	}{
		"refused": {
			[]string{"```python\na = double(1)\nb", " = nothing\nc", " = double(3)\n```"}, "nothing",
			[]string{"double1", "piece 2", "piece 3", "double7"},
		},
		"raised": {
			[]string{"```python\na = double(1)\nbroken(2)\nc", " = double(3)\n```"}, "RuntimeError",
			[]string{"double1", "broken2", "piece 2", "double7"},
		},
		"no code": {
			[]string{"```python\na = double(1)\nb", " = = 2\ndouble(3)\n```"}, "line 2",
			[]string{"double1", "piece 2", "double7"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := writes(c.first, []string{"```python\na = double(1)\ndouble(a + 5)\n```"}, []string{"done"})
			result := stream(t, p)
			if d := cmp.Diff(c.log, p.log); d != "" {
				t.Error(d)
			}
			if heard := p.heard(1); !strings.Contains(heard, c.heard) || !strings.Contains(heard, "not made again") {
				t.Errorf("heard %q", heard)
			}
			if result.Outputs[0].Value != "done" {
				t.Errorf("%v", result.Outputs)
			}
		})
	}
}

// TestStreamingCut: of an answer that breaks off, what is complete has run.
func TestStreamingCut(t *testing.T) {
	for _, stop := range []api.ModelStop{api.StopLength, api.StopLost} {
		p := writes([]string{"```python\nx = double(1)\ny", " = double(2)\nz = dou"}, []string{"done"})
		p.stop = stop
		stream(t, p)
		if d := cmp.Diff([]string{"double1", "piece 2", "double2"}, p.log); d != "" || !strings.HasSuffix(p.heard(1), goOn) {
			t.Errorf("%s: heard %q, %s", stop, p.heard(1), d)
		}
	}
}

// TestStreamingTasks: an answer that comes between two statements is given to the
// one that waits for it.
func TestStreamingTasks(t *testing.T) {
	p := writes(
		[]string{"```python\nimport asyncio\nasync def f(x):\n    return await double(x)\nt = asyncio.create_task(f(1))\nawait asyncio.sleep(0)\nu", " = 3\n", "await t + u\n```"},
		[]string{"done"})
	stream(t, p)
	if p.heard(1) != "Value:\n5" {
		t.Errorf("heard %q", p.heard(1))
	}
}

// TestStreamingAgain: an attempt that is made again after any answer asks nothing
// again, does nothing again and ends alike.
func TestStreamingAgain(t *testing.T) {
	answers := [][]string{{"```python\nx = double(1)\ny", " = double(x)\n1 / 0\n", "double(5)\n```"}, {"```python\ny = double(x)\nz", " = 1\ndouble(y)\n```"}, {"done"}}
	straight := writes(answers...)
	f := straight.fake()
	if _, err := run(t, streamingTask(), f, map[string]any{"message": "go"}); err != nil {
		t.Fatal(err)
	}
	for stop := 1; stop < len(f.Answers); stop++ {
		p := writes(answers...)
		first := p.fake()
		first.Stop = stop
		if _, err := run(t, streamingTask(), first, map[string]any{"message": "go"}); !errors.Is(err, callertest.ErrKilled) {
			t.Fatal(err)
		}
		second := &fake{tools: first.tools, Caller: callertest.Caller{Earlier: slices.Concat(first.Answers, first.Queue)}}
		result, err := run(t, streamingTask(), second, map[string]any{"message": "go"})
		if err != nil || result.Outputs[0].Value != "done" {
			t.Fatalf("after %d answers: %v, %v", stop, result, err)
		}
		if d := cmp.Diff(straight.log, p.log); d != "" || len(p.asked) != len(answers) {
			t.Errorf("after %d answers, %d questions: %s", stop, len(p.asked), d)
		}
	}
}

// TestStreamingBounds: a model that never completes a statement gets the rest of
// its answer taken at once.
func TestStreamingBounds(t *testing.T) {
	first := []string{"```python\n'''\n"}
	for range maxPieces + 50 {
		first = append(first, "x\n")
	}
	p := writes(append(first, "'''\n```"), []string{"done"})
	stream(t, p)
	if n := slices.IndexFunc(p.rests, func(r api.ModelRest) bool { return r.Whole }); n != maxPieces-1 {
		t.Errorf("piece %d was the first that was to be the whole rest", n+1)
	}
}

func TestStreamingIsForCode(t *testing.T) {
	tools, function := streamingTask(), streamingTask()
	tools.Agent.Mode = api.ToolsAgent
	function.Agent.Model = toolTask("model", "int")
	for _, task := range []*api.Task{tools, function} {
		if err := newRunner().Validate(task); err == nil || api.AsError(err).Details.Field != "agent.streaming" {
			t.Errorf("%v", err)
		}
	}
}

func TestPieceReady(t *testing.T) {
	for _, c := range []struct {
		text  string
		given int
		ready bool
	}{
		{"prose\nmore\nprose", 0, false}, {"```python\n", 0, false}, {"```python\nx", 0, true}, {"```python\nx = 1\n", 11, false},
		{"```python\nx = 1\ny", 16, true}, {"```python\nx = 1\n  y", 16, false}, {"```python\nx = (\n1\n)", 19, false}, {"```python\nx = 1\n```", 11, true},
	} {
		if got := PieceReady(c.text, c.given); got != c.ready {
			t.Errorf("%q after %d: %v", c.text, c.given, got)
		}
	}
}
