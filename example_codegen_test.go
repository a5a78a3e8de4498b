//go:build linux

package glovebox_test

import (
	"fmt"

	"github.com/glovebox-dev/glovebox"
)

// A generation has a model write a script for a sample, until its tests pass in
// cells. Its script is a sandbox, for data that the model did not see.
func ExampleCodegen() {
	sales := glovebox.Codegen{
		Name:       "sales",
		Model:      glovebox.Model{Protocol: glovebox.ProtocolAnthropic, Name: "claude-opus-5-5", Key: "ANTHROPIC_API_KEY"},
		Script:     glovebox.Sandbox{Outputs: []string{"total: float"}},
		Samples:    []string{"sales"},
		SampleMode: glovebox.SampleMasked,
	}
	// made, err := gb.Generate(ctx, sales, glovebox.Values{"prompt": "Sum quantity times price.", "sales": glovebox.File{Path: "sales.csv"}})
	made := &glovebox.CodegenResult{Success: true, Code: "..."}
	fmt.Println(sales.Written(made).Inputs)
	// Output: [sales: File]
}
