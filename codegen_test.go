package glovebox

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func TestCodegen(t *testing.T) {
	half := 0.5
	c := Codegen{
		Name: "sales", Doc: "sums", Model: Model{Protocol: ProtocolAnthropic, Name: "m", Key: "k"},
		Script:  Sandbox{Inputs: []string{"least: float"}, Outputs: []string{"total: float"}, Image: Image{Packages: []string{"six"}}},
		Samples: []string{"sales"}, SampleMode: SampleMasked, SampleRowCount: 5, Constraints: []string{"c"}, Temperature: &half,
		Backend: BackendClaude, AgentTurns: 7, Budget: Budget{Calls: 3},
	}
	float := value.Type{Kind: value.KindFloat}
	want := api.Task{
		Name: "sales", Kind: api.KindCodegen, Doc: "sums", Cache: api.CacheAuto, Signature: api.CodegenSignature("sales"),
		Codegen: &api.Codegen{
			Model: defined(t, c.Model),
			Script: api.Task{Name: "script", Image: Image{Packages: []string{"six"}}, Signature: api.Signature{
				Inputs:  []value.Param{{Name: "sales", Type: value.Type{Kind: value.KindFile}}, {Name: "least", Type: float}},
				Outputs: []value.Param{{Name: "total", Type: float}},
			}},
			Constraints: []string{"c"}, Samples: SampleMasked, SampleRows: 5, Temperature: &half, Backend: BackendClaude, AgentTurns: 7, Budget: Budget{Calls: 3},
		},
	}
	if d := cmp.Diff(want, defined(t, c)); d != "" {
		t.Error(d)
	}
	script := defined(t, c.Written(&CodegenResult{Code: "print()", Image: Image{Packages: []string{"six", "pytest"}}}))
	if script.Code != "print()" || !script.Verbatim || len(script.Image.Packages) != 2 || len(script.Signature.Inputs) != 2 {
		t.Errorf("%+v", script)
	}
	c.Samples = append(c.Samples, "least") // which is declared otherwise, so the engine says what is wrong
	if got := defined(t, c).Codegen.Script.Signature.Inputs; len(got) != 2 {
		t.Error(got)
	}
	if _, _, err := define(Codegen{}); err == nil || api.AsError(err).Details.Field != "codegen.model" {
		t.Error(err)
	}
}

func TestGeneratedResult(t *testing.T) {
	object := api.CodegenSignature().Outputs[0].Type
	d := value.NewDict()
	d.Set("success", true)
	d.Set("code", "x")
	made, err := (&Result{api.Result{Outputs: []api.Output{{Name: "result", Type: object, Value: d}}}}).Generated()
	if err != nil || !made.Success || made.Code != "x" {
		t.Errorf("%+v, %v", made, err)
	}
	d.Set("code", int64(7))
	for _, outputs := range [][]api.Output{nil, {{Name: "result", Type: object, Value: d}}} {
		if _, err := (&Result{api.Result{Outputs: outputs}}).Generated(); err == nil {
			t.Error(outputs)
		}
	}
}
