//go:build linux

package glovebox_test

import (
	"context"
	"fmt"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

// An agent does what a message asks for with the tools that it has. Here a Go
// function stands for its model; a glovebox.Model asks a real one.
func ExampleAgent() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	texts := []string{"```python\nadd(2, 3)\n```", "It is 5."}
	model := glovebox.MustFunction("model", func(request map[string]any) map[string]any {
		turn := len(request["messages"].([]any)) / 2
		return map[string]any{"text": texts[turn], "stop": "end", "usage": map[string]any{}}
	}, glovebox.WithParams("request"))

	agent := glovebox.Agent{Name: "adder", Instructions: "You add numbers.", Model: model, Tools: []glovebox.Task{add}}
	answer, err := glovebox.Call[string](context.Background(), gb, agent, glovebox.Values{"message": "What is 2 + 3?"})
	fmt.Println(answer, err)
	// Output: It is 5. <nil>
}
