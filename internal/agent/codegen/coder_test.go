package codegen

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/callertest"
)

// coded is a task whose script a coding agent writes.
func coded(samples ...string) *api.Task {
	t := task(samples...)
	t.Codegen.Backend = api.BackendClaude
	t.Codegen.Model.Model = &api.Model{Protocol: api.ProtocolAnthropic, Name: "m", Key: "claude-key"}
	return t
}

// left is what an agent says and leaves in one work.
type left struct {
	status, turns int
	said          string
	texts         map[string]string
}

// coder answers the works of an agent in turn, and keeps what each was given.
func coder(scripts map[string]map[string]string, works ...left) (*fake, *[]map[string]any) {
	f := &fake{cells: cells(scripts)}
	var given []map[string]any
	f.cells["agent"] = func(_ *api.Task, inputs map[string]any) (any, error) {
		var asked map[string]any
		if err := json.Unmarshal([]byte(inputs["request"].(string)), &asked); err != nil {
			return nil, err
		}
		given = append(given, asked)
		w := works[min(len(given), len(works))-1]
		problems := o{}
		for _, name := range []string{solutionFile, testsFile, packagesFile, systemFile, planFile} {
			if _, there := w.texts[name]; !there {
				problems[name] = "No such file or directory"
			}
		}
		text, err := json.Marshal(o{"status": w.status, "said": w.said, "texts": w.texts, "problems": problems, "cost_usd": 0.25})
		return string(text), err
	}
	f.Asks = func(c api.Call) api.ModelUsage {
		if c.Task == nil || c.Task.Name != "agent" || len(given) == 0 {
			return api.ModelUsage{}
		}
		return api.ModelUsage{Input: 100, CachedInput: 90, Output: 5, Asked: int64(works[min(len(given), len(works))-1].turns)}
	}
	return f, &given
}

func written(code string) map[string]string {
	return map[string]string{solutionFile: code, testsFile: "def test_add(): ...", packagesFile: "six\n--index-url=x\n", planFile: "Adds.\nBy adding."}
}

func TestAnAgentWrites(t *testing.T) {
	f, given := coder(map[string]map[string]string{nothing: failed, bad: failed, good: passed}, left{turns: 3, texts: written(bad)}, left{turns: 2, said: "done", texts: written(good)})
	made := generates(t, coded(), f)
	if !made.Success || made.Code != good+"\n" || made.Attempts != 2 || made.Plan != (api.CodegenPlan{Description: "Adds.", Approach: "By adding."}) {
		t.Errorf("%+v", made)
	}
	if d := cmp.Diff([]string{"six"}, made.Packages); d != "" {
		t.Error(d)
	}
	if want := []string{"agent", "image", "tests", "tests", "agent", "image", "tests"}; !cmp.Equal(want, f.Made) {
		t.Error(f.Made)
	}
	if made.Usage.Input != 200 || made.Usage.CachedInput != 180 || made.Usage.Cost != 0.5 {
		t.Errorf("%+v", made.Usage)
	}
	second := (*given)[1]["texts"].(o)
	if task := second[taskFile].(string); !strings.Contains(task, "the tests ended") || !strings.Contains(task, "Add.") || second[solutionFile] != bad+"\n" {
		t.Errorf("the second work begins with %v", second)
	}
	for _, words := range []string{"-print('bad')", "| questions to the model | 5 |", "says: done"} {
		if !strings.Contains(made.Report, words) {
			t.Errorf("the report has no %q:\n%s", words, made.Report)
		}
	}
}

// TestPowersOfAnAgent: its model is asked for it, within what is left of the budget.
// It has no key, no network, and nothing else of the script or the host.
func TestPowersOfAnAgent(t *testing.T) {
	one := coded("sales")
	one.Codegen.Script.Secrets = []api.SecretRef{{Name: "of-the-script", Env: "X"}}
	one.Codegen.Script.Network = api.Network{Public: true}
	one.Codegen.Budget = api.Budget{Calls: 7, Cost: 2}
	works := []left{{turns: 1, texts: written(good)}}
	f, given := coder(map[string]map[string]string{nothing: failed, good: passed}, works...)
	f.cells["samples"] = func(*api.Task, map[string]any) (any, error) { return "[]", nil }
	generates(t, one, f)
	i := slices.IndexFunc(f.tasks, func(t *api.Task) bool { return t.Name == "agent" })
	agent := f.tasks[i]
	if len(agent.Secrets) > 0 || !agent.Network.None() {
		t.Error(agent.Secrets, agent.Network)
	}
	if want := (&api.Asks{Model: *one.Codegen.Model.Model, Budget: api.Budget{Calls: 7}}); !cmp.Equal(want, agent.Asks) {
		t.Error(cmp.Diff(want, agent.Asks))
	}
	argv := strings.Join(words((*given)[0]["argv"]), " ")
	if !strings.Contains(argv, "--tools Bash,Read,Write,Edit,Glob,Grep --max-turns 7 --max-budget-usd 2") {
		t.Error(argv)
	}
	if files := (*given)[0]["files"].(o); files["samples/sales.csv"] != "file_1" {
		t.Error(files)
	}
	one.Codegen.Model.Model.Price = api.ModelPrice{Input: 1}
	f, _ = coder(map[string]map[string]string{nothing: failed, bad: failed, good: passed}, left{turns: 3, texts: written(bad)}, left{turns: 1, texts: written(good)})
	f.cells["samples"] = func(*api.Task, map[string]any) (any, error) { return "[]", nil }
	f.Asks = func(c api.Call) api.ModelUsage { return api.ModelUsage{Input: 10, Cost: 0.25, Asked: 3} }
	one.Codegen.Budget = api.Budget{Calls: 50, Tokens: 1000, Cost: 2}
	generates(t, one, f)
	if again := f.tasks[len(f.tasks)-3]; again.Name != "agent" || again.Asks.Budget != (api.Budget{Calls: 47, Tokens: 990, Cost: 1.75}) {
		t.Errorf("%s %+v", again.Name, again.Asks)
	}
	one.Codegen.Samples = api.SampleMasked
	f, given = coder(map[string]map[string]string{nothing: failed, good: passed}, works...)
	f.cells["samples"] = func(*api.Task, map[string]any) (any, error) { return "[]", nil }
	generates(t, one, f)
	if files := (*given)[0]["files"].(o); len(files) > 0 {
		t.Errorf("samples that are masked go in: %v", files)
	}
}

func words(list any) (all []string) {
	for _, word := range list.([]any) {
		all = append(all, word.(string))
	}
	return all
}

// TestACrashAtEachWork: a work that was answered is not done again.
func TestACrashAtEachWork(t *testing.T) {
	start := func() *fake {
		f, given := coder(map[string]map[string]string{nothing: failed, bad: failed, good: passed}, left{turns: 1, texts: written(bad)}, left{turns: 1, texts: written(good)})
		f.cells["agent"] = inTurn(f.cells["agent"], given)
		return f
	}
	whole := start()
	want := generates(t, coded(), whole)
	for stop := 1; stop < len(whole.Answers); stop++ {
		f := start()
		f.Stop = stop
		if _, err := attempt(t, coded(), f); !errors.Is(err, callertest.ErrKilled) {
			t.Fatalf("after %d answers: %v", stop, err)
		}
		carriedOut := len(f.Made)
		f.Earlier, f.Answers, f.Queue, f.Stop = slices.Clone(f.Answers), nil, nil, 0
		if d := cmp.Diff(want, generates(t, coded(), f)); d != "" {
			t.Errorf("after %d answers: %s", stop, d)
		}
		if again := len(f.Made) - carriedOut; again != len(whole.Made)-stop {
			t.Errorf("after %d answers %d calls were carried out, want %d", stop, again, len(whole.Made)-stop)
		}
	}
}

// inTurn has a work that is done again after a crash leave what it left before: the
// first for a task without earlier work, the second for one with.
func inTurn(work func(*api.Task, map[string]any) (any, error), given *[]map[string]any) func(*api.Task, map[string]any) (any, error) {
	return func(task *api.Task, inputs map[string]any) (any, error) {
		*given = (*given)[:0]
		if strings.Contains(inputs["request"].(string), "What is wrong with the work") {
			*given = append(*given, nil)
		}
		return work(task, inputs)
	}
}

func TestAnAgentThatFails(t *testing.T) {
	results := map[string]map[string]string{nothing: failed, bad: failed, good: passed}
	for want, works := range map[string][]left{
		"the agent ended with status 1 and left no script: API Error: 401":                             {{status: 1, said: "API Error: 401"}},
		"the work of the agent is not right after 2 times: test_solution.py cannot be taken: No such":  {{texts: o2{solutionFile: "a"}}, {texts: o2{solutionFile: "b"}}},
		"the agent changed nothing of its work, although it is not right: tests fail: the tests ended": {{texts: written(bad)}},
		"the budget of 4 questions to the model is spent":                                              {{turns: 1000, texts: written(bad)}},
	} {
		one := coded()
		one.Codegen.MaxIterations = 2
		one.Codegen.Budget.Calls = 4
		f, _ := coder(results, works...)
		if made := generates(t, one, f); made.Success || !strings.HasPrefix(made.Error, want) {
			t.Errorf("%q, want %q", made.Error, want)
		}
	}
	f, _ := coder(results)
	f.cells["agent"] = func(*api.Task, map[string]any) (any, error) { return nil, api.Errorf(api.SecretNotFound, "none") }
	if _, err := attempt(t, coded(), f); api.AsError(err).Code != api.SecretNotFound {
		t.Error(err)
	}
	f.cells["agent"] = func(*api.Task, map[string]any) (any, error) { return `{"status": "x"}`, nil }
	if _, err := attempt(t, coded(), f); api.AsError(err).Code != api.BadOutput {
		t.Error(err)
	}
}

type o2 = map[string]string

func TestBackends(t *testing.T) {
	half := 0.5
	for field, change := range map[string]func(*api.Codegen){
		"codegen.backend":     func(c *api.Codegen) { c.Backend = "clod" },
		"codegen.model":       func(c *api.Codegen) { c.Model.Model.Protocol = api.ProtocolOpenAI },
		"codegen.model.key":   func(c *api.Codegen) { c.Model.Model.Key = "" },
		"codegen.candidates":  func(c *api.Codegen) { c.Candidates = 2 },
		"codegen.max_tokens":  func(c *api.Codegen) { c.MaxTokens = 5 },
		"codegen.temperature": func(c *api.Codegen) { c.Temperature = &half },
		"codegen.agent_turns": func(c *api.Codegen) { c.AgentTurns = -1 },
	} {
		one := coded()
		change(one.Codegen)
		if err := New(Config{Sandboxes: anySandbox{}}).Validate(one); err == nil || api.AsError(err).Details.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	one := task()
	one.Codegen.AgentTurns = 5
	if err := New(Config{Sandboxes: anySandbox{}}).Validate(one); err == nil || api.AsError(err).Details.Field != "codegen.backend" {
		t.Error(err)
	}
}
