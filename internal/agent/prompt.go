package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/value"
)

// finalAnswer is the function by which a model gives an answer that is no text.
const finalAnswer = "final_answer"

const wantsFinal = "That is not your answer yet: give it by calling " + finalAnswer + "(answer)."

// systemPrompt is what the model hears at the beginning.
func systemPrompt(instructions, rules string, answer value.Type) string {
	var parts []string
	if instructions != "" {
		parts = append(parts, instructions)
	}
	parts = append(parts, rules)
	if answer.Kind != value.KindStr {
		parts = append(parts, fmt.Sprintf("When you know the answer, call %s(answer) with a value of type %s. Nothing else ends your work.", finalAnswer, answer))
	}
	return strings.Join(parts, "\n\n")
}

// codeRules tell a model how it acts by code; language is what the checker accepts.
func codeRules(language string, text bool) string {
	last := "An answer without a code block is your last one: write it when you know what you were asked for, and need no more code."
	if !text {
		last = ""
	}
	return strings.TrimSpace(`You act by Python code. Write one block between ` + "```python and ```" + ` in an answer. It is run, and you get what it
printed, the value of its last expression, or its error; then you answer again. Variables, functions and imports
stay from block to block. Call the functions that are listed below directly; wait for no permission.
` + last + "\n\n" + language)
}

const streamingRules = "\n\nEach statement of a block is run as soon as you have written it, so what it does cannot be taken back by what you write after it."

// toolRules tell a model how it acts by tools.
func toolRules(text bool) string {
	if !text {
		return "Use the tools that you have, several at a time where they do not need each other's results."
	}
	return "Use the tools that you have, several at a time where they do not need each other's results. An answer without a call of a tool is your last one: write it when you know what you were asked for."
}

// joinInputs is the first message.
func joinInputs(message string, others map[string]json.RawMessage, order []value.Param) string {
	var b strings.Builder
	b.WriteString(message)
	for _, p := range order {
		shown, ok := others[p.Name]
		if !ok {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "%s (%s): %s", p.Name, p.Type, value.Shorten(string(shown), maxShown))
	}
	return b.String()
}
