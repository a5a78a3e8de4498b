package codegen

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/callertest"
)

const (
	good = "print('good')"
	bad  = "print('bad')"
)

var (
	passed  = map[string]string{"test_add": "passed"}
	failed  = map[string]string{"test_add": "failed"}
	nothing = "" // the script that does nothing
)

// mended is a generation whose first script fails and whose second does not.
func mended() *fake {
	return &fake{
		model: append(beginning(bad, "def test_add(): ..."), diagnosed("logic"), corrected(good)),
		cells: cells(map[string]map[string]string{nothing: failed, bad: failed, good: passed}),
	}
}

func cells(scripts map[string]map[string]string) map[string]func(*api.Task, map[string]any) (any, error) {
	return map[string]func(*api.Task, map[string]any) (any, error){"tests": judge(scripts), "image": noneMissing}
}

func TestASolutionIsMended(t *testing.T) {
	f := mended()
	made := generates(t, task(), f)
	if !made.Success || made.Error != "" || made.Attempts != 2 || made.Code != good+"\n" || made.ExitCode != 0 {
		t.Errorf("%+v", made)
	}
	if want := (api.CodegenPlan{Description: "adds", Approach: "by adding"}); made.Plan != want {
		t.Error(made.Plan)
	}
	if want := []string{"pytest"}; !cmp.Equal(made.Image.Packages, want) {
		t.Error(made.Image.Packages)
	}
	// Code and tests are asked for at the same time, and a run with nothing is made once for the same tests.
	want := []string{"model", "model", "model", "image", "tests", "tests", "model", "model", "tests"}
	if d := cmp.Diff(want, f.Made); d != "" {
		t.Error(d)
	}
	for _, words := range []string{"Add.", "the tests ended", "-print('bad')", "+print('good')", "Success", "| questions to the model | 5 |"} {
		if !strings.Contains(made.Report, words) {
			t.Errorf("the report has no %q:\n%s", words, made.Report)
		}
	}
}

// TestACrashAtEachAnswer: what was answered is not paid again.
func TestACrashAtEachAnswer(t *testing.T) {
	whole := mended()
	want := generates(t, task(), whole)
	for stop := 1; stop < len(whole.Answers); stop++ {
		f := mended()
		f.Stop = stop
		if _, err := attempt(t, task(), f); !errors.Is(err, callertest.ErrKilled) {
			t.Fatalf("after %d answers: %v", stop, err)
		}
		f.Earlier, f.Answers, f.Stop = slices.Clone(f.Answers), nil, 0
		f.Queue = nil
		carriedOut := len(f.Made)
		// A question that was under way is asked again.
		for i := range f.model {
			f.model[i].used = false
		}
		got := generates(t, task(), f)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("after %d answers: %s", stop, d)
		}
		if again := len(f.Made) - carriedOut; again != len(whole.Made)-stop {
			t.Errorf("after %d answers %d calls were carried out, want %d", stop, again, len(whole.Made)-stop)
		}
	}
}

func TestTestsThatShowNothing(t *testing.T) {
	f := &fake{
		model: append(beginning(good, "def test_true(): pass"), turn{words: "show nothing", answer: o{"test_code": "def test_add(): ..."}}),
	}
	f.cells = map[string]func(*api.Task, map[string]any) (any, error){"image": noneMissing, "tests": func(task *api.Task, inputs map[string]any) (any, error) {
		if strings.Contains(inputs["tests"].(string), "test_true") {
			return judge(map[string]map[string]string{nothing: passed, good: passed})(task, inputs)
		}
		return judge(map[string]map[string]string{nothing: failed, good: passed})(task, inputs)
	}}
	if made := generates(t, task(), f); !made.Success || made.Attempts != 2 || !strings.Contains(made.Tests, "test_add") {
		t.Errorf("%+v", made)
	}
	// A model that never writes others has no success.
	f.model = append(beginning(good, "def test_true(): pass"), turn{words: "show nothing", answer: o{"test_code": "def test_true(): pass  # again"}})
	two := task()
	two.Codegen.MaxIterations = 2
	if made := generates(t, two, f); made.Success || made.Error != "the tests fail after 2 runs of them" {
		t.Errorf("%+v", made)
	}
	// A test that is skipped shows nothing either.
	skipped := run{ran: true, ended: map[string]string{"test_add": "skipped"}}
	if skipped.passes() {
		t.Error("skipped tests pass")
	}
}

func TestTheBestCandidateIsMended(t *testing.T) {
	half := "print('half')"
	f := &fake{
		model: []turn{
			{words: "Plan the script", answer: o{"description": "adds", "approach": ""}},
			{words: "draft 1 of 2", answer: o{"language": "python", "code": bad}}, {words: "draft 2 of 2", answer: o{"language": "python", "code": half}},
			{words: "Write tests", answer: o{"test_code": "..."}}, diagnosed("logic"), corrected(good),
		},
		cells: cells(map[string]map[string]string{
			nothing: {"a": "failed", "b": "failed"}, bad: {"a": "failed", "b": "failed"}, half: {"a": "passed", "b": "failed"}, good: {"a": "passed", "b": "passed"},
		}),
	}
	both := task()
	both.Codegen.Candidates = 2
	made := generates(t, both, f)
	if !made.Success || made.Code != good+"\n" {
		t.Errorf("%+v", made)
	}
	if heard := f.heard("Correct the script"); len(heard) != 1 || !strings.Contains(heard[0], half) {
		t.Errorf("the script that is mended is not the best: %q", heard)
	}
}

// TestWhatStaysIsOfTheOtherSide corrects the tests where a correction of the script did
// not help.
func TestWhatStaysIsOfTheOtherSide(t *testing.T) {
	fixed := turn{words: "Correct these tests", answer: o{"patches": []o{{"test_name": "test_add", "fixed_code": "def test_add():\n    assert right"}}}}
	f := &fake{model: append(beginning(bad, "def test_add(): ..."), diagnosed("logic"), corrected(bad+"  # corrected"), diagnosed("logic"), fixed)}
	f.cells = map[string]func(*api.Task, map[string]any) (any, error){"image": noneMissing, "tests": func(task *api.Task, inputs map[string]any) (any, error) {
		ended := failed
		if strings.Contains(inputs["tests"].(string), "right") && inputs["solution"] != nothing {
			ended = passed
		}
		return judge(map[string]map[string]string{strings.TrimSpace(inputs["solution"].(string)): ended})(task, inputs)
	}}
	if made := generates(t, task(), f); !made.Success || made.Attempts != 3 || !strings.Contains(made.Tests, "assert right") {
		t.Errorf("%+v", made)
	}
}

func TestPackages(t *testing.T) {
	f := mended()
	f.model = append(beginning("import os, numpy as np\nfrom cv2.x import y\nimport pandas\n"+bad, "..."),
		turn{words: "the modules cv2, numpy", answer: o{"packages": []string{"numpy", "opencv-python-headless", "os", "x @ https://evil.example/x.whl", "--index-url=https://evil.example", "../x"}}},
		diagnosed("environment", "six"))
	f.cells["tests"] = func(task *api.Task, inputs map[string]any) (any, error) {
		ended := failed
		if slices.Contains(task.Image.Packages, "six") && inputs["solution"] != nothing {
			ended = passed
		}
		return judge(map[string]map[string]string{strings.TrimSpace(inputs["solution"].(string)): ended})(task, inputs)
	}
	declared := task()
	declared.Codegen.Script.Image = api.ImageSpec{Packages: []string{"pandas>=2"}, AllowURLs: true}
	made := generates(t, declared, f)
	if want := []string{"numpy", "opencv-python-headless", "six"}; !made.Success || !cmp.Equal(made.Packages, want) {
		t.Errorf("%+v", made)
	}
	if want := []string{"pandas>=2", "numpy", "opencv-python-headless", "six", "pytest"}; !cmp.Equal(made.Image.Packages, want) {
		t.Error(made.Image.Packages)
	}
}

func TestAPackageThatDoesNotExist(t *testing.T) {
	f := mended()
	f.model = append([]turn{{words: "cannot be installed", answer: o{"replacement": "libgl1"}}}, f.model...)
	f.model[2].answer = o{"language": "python", "code": good, "system_packages": []string{"libgl1-mesa-glx", "$(reboot)"}}
	f.cells["image"] = func(task *api.Task, _ map[string]any) (any, error) {
		if slices.Contains(task.Image.SystemPackages, "libgl1-mesa-glx") {
			return nil, api.Errorf(api.InvalidPackage, "no such package").WithDetails(api.Details{Package: "libgl1-mesa-glx"})
		}
		return "[]", nil
	}
	if made := generates(t, task(), f); !made.Success || !cmp.Equal(made.SystemPackages, []string{"libgl1"}) {
		t.Errorf("%+v", made)
	}
	// One that was declared is the user's to mend.
	f = mended()
	f.cells["image"] = func(*api.Task, map[string]any) (any, error) {
		return nil, api.Errorf(api.InvalidPackage, "no such package").WithDetails(api.Details{Package: "nonesuch"})
	}
	declared := task()
	declared.Codegen.Script.Image.Packages = []string{"nonesuch"}
	if _, err := attempt(t, declared, f); api.AsError(err) == nil || api.AsError(err).Code != api.InvalidPackage {
		t.Error(err)
	}
}

func TestSkippedTests(t *testing.T) {
	f := &fake{model: beginning(good, "")[:2], cells: cells(nil)}
	quick := task()
	quick.Codegen.SkipTests = true
	made := generates(t, quick, f)
	if !made.Success || made.Code != good+"\n" || made.Tests != "" || len(made.Image.Packages) != 0 || made.Attempts != 0 {
		t.Errorf("%+v", made)
	}
}

func TestBudgets(t *testing.T) {
	for words, set := range map[string]func(*api.Budget){
		"2 questions": func(b *api.Budget) { b.Calls = 2 },
		"150 tokens":  func(b *api.Budget) { b.Tokens = 150 },
		"US dollars":  func(b *api.Budget) { b.Cost = 0.02 },
		"time of 4s":  func(b *api.Budget) { b.Time = 4 * time.Second },
	} {
		f := mended()
		f.Took = time.Second
		bounded := task()
		set(&bounded.Codegen.Budget)
		made := generates(t, bounded, f)
		if made.Success || !strings.Contains(made.Error, words) || !strings.Contains(made.Report, "No success") {
			t.Errorf("%s: %+v", words, made)
		}
	}
}

// TestTestsHaveNoPowers: what runs code of a model has no network and no secret of
// the script.
func TestTestsHaveNoPowers(t *testing.T) {
	f := mended()
	open := task()
	s := &open.Codegen.Script
	s.Network, s.Secrets, s.Env = api.Network{Public: true}, []api.SecretRef{{Name: "key", Env: "KEY"}}, map[string]string{"A": "b"}
	s.Image.Commands = []string{"true"}
	generates(t, open, f)
	if len(f.tasks) == 0 {
		t.Fatal("no cell was asked for")
	}
	for _, made := range f.tasks {
		if !made.Network.None() || len(made.Secrets) > 0 || made.StartsRuns || made.Env["A"] != "b" || !cmp.Equal(made.Image.Commands, []string{"true"}) {
			t.Errorf("%+v", made)
		}
	}
}

func TestHostileAnswers(t *testing.T) {
	f := mended()
	f.model = append([]turn{
		{words: "Plan the script", answer: "I would rather talk."},
		{words: "no JSON object", answer: "```json\n{\"description\": \"adds\", \"approach\": \"\"}\n```"},
		{words: "Write the script", answer: o{"language": "rust", "code": good}},
		{words: "expected python", answer: o{"language": "python", "code": strings.Repeat("#", maxCode+1)}},
		{words: "at most", answer: o{"language": "python", "code": "```python\n" + good + "\n```"}},
	}, f.model[2:]...)
	if made := generates(t, task(), f); !made.Success || made.Code != good+"\n" {
		t.Errorf("%+v", made)
	}
	// Text without end is asked for three times, and no more.
	f = mended()
	f.model = []turn{{words: "Plan", answer: "no"}, {words: "no JSON", answer: "no"}, {words: "no JSON", answer: "no"}, {words: "no JSON", answer: o{"description": "too late"}}}
	if made := generates(t, task(), f); made.Success || !strings.Contains(made.Error, "3 times") || len(f.asked) != 3 {
		t.Errorf("%+v", made)
	}
	// A report cannot be broken out of, and a cell may say anything of its tests.
	f = mended()
	f.cells["tests"] = func(*api.Task, map[string]any) (any, error) {
		return `{"exit": 0, "ended": {}, "output": "` + "```\\n# Success" + `"}`, nil
	}
	f.model = append(f.model, turn{words: "no test of them was run", answer: o{"test_code": "..."}})
	two := task()
	two.Codegen.MaxIterations = 2
	if made := generates(t, two, f); made.Success || !strings.Contains(made.Report, "````\n```\n# Success\n````") {
		t.Errorf("%+v", made)
	}
}

func TestACellThatDies(t *testing.T) {
	f := mended()
	inner := f.cells["tests"]
	f.cells["tests"] = func(task *api.Task, inputs map[string]any) (any, error) {
		if strings.TrimSpace(inputs["solution"].(string)) == bad {
			return nil, api.Errorf(api.OutOfMemory, "the cell had no memory left")
		}
		return inner(task, inputs)
	}
	if made := generates(t, task(), f); !made.Success || len(f.heard("no memory left")) != 1 {
		t.Errorf("%+v", made)
	}
}

func TestSamples(t *testing.T) {
	f := mended()
	var asked string
	f.cells["samples"] = func(task *api.Task, inputs map[string]any) (any, error) {
		asked = inputs["request"].(string)
		return `[{"name": "sales", "form": ".csv", "kind": "table", "rows": 3, "columns": [{"name": "price", "type": "float", "nullable": true}], "sample": [["17.3"]]}]`, nil
	}
	masked := task("sales")
	masked.Codegen.Samples = api.SampleMasked
	made := generates(t, masked, f)
	if want := `{"samples":[{"name":"sales","input":"sample_1","form":".csv"}],"mode":"masked","rows":100}`; asked != want {
		t.Error(asked)
	}
	if want := "## sales: a table (.csv) of 3 rows\n- price: float, may be empty\nSome of its rows:\n17.3"; made.Context != want {
		t.Error(made.Context)
	}
	if want := "DataFrameSchema({\n    \"price\": Column(float, nullable=True),\n})"; made.Schemas["sales"] != want {
		t.Error(made.Schemas)
	}
	if !strings.Contains(f.asked[0].System, made.Context) || !strings.Contains(f.asked[0].System, "--sales PATH") {
		t.Error(f.asked[0].System)
	}
	// Samples stay out of the cells whose output the model hears.
	for _, made := range f.tasks[1:] {
		for _, p := range made.Signature.Inputs {
			if p.Type.Kind == "File" {
				t.Errorf("%s has the sample %s", made.Name, p.Name)
			}
		}
	}
}

func TestValidate(t *testing.T) {
	hot := 3.0
	for field, change := range map[string]func(*api.Task){
		"codegen":                    func(t *api.Task) { t.Codegen = nil },
		"code":                       func(t *api.Task) { t.Code = "x" },
		"codegen.samples":            func(t *api.Task) { t.Codegen.Samples = "all" },
		"codegen.model.kind":         func(t *api.Task) { t.Codegen.Model.Kind = api.KindAgent },
		"codegen.model.signature":    func(t *api.Task) { t.Codegen.Model.Signature = api.Signature{} },
		"codegen.model.name":         func(t *api.Task) { t.Codegen.Model.Name = "" },
		"codegen.max_iterations":     func(t *api.Task) { t.Codegen.MaxIterations = -1 },
		"codegen.candidates":         func(t *api.Task) { t.Codegen.Candidates = 17 },
		"codegen.temperature":        func(t *api.Task) { t.Codegen.Temperature = &hot },
		"codegen.budget.tokens":      func(t *api.Task) { t.Codegen.Budget.Tokens = -1 },
		"codegen.budget.cost_usd":    func(t *api.Task) { t.Codegen.Budget.Cost = 1; t.Codegen.Model.Model.Price = api.ModelPrice{} },
		"codegen.script.kind":        func(t *api.Task) { t.Codegen.Script.Kind = api.KindModel },
		"codegen.script.code":        func(t *api.Task) { t.Codegen.Script.Code = "x" },
		"codegen.script.image":       func(t *api.Task) { t.Codegen.Script.Image.Ref = "x" },
		"codegen.script.starts_runs": func(t *api.Task) { t.Codegen.Script.StartsRuns = true },
		"signature.inputs":           func(t *api.Task) { t.Signature.Inputs = append(t.Signature.Inputs, callertest.Param("y", "File")) },
		"signature":                  func(t *api.Task) { t.Signature.Outputs = nil },
	} {
		wrong := task()
		change(wrong)
		err := New(Config{Sandboxes: anySandbox{}}).Validate(wrong)
		if e := api.AsError(err); e == nil || e.Details.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
