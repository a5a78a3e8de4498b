package agent

import (
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// maxShown bounds what a model is shown of one thing, in bytes.
const maxShown = 32 << 10

const cutOff = "Your answer was cut off before the end of the code, so nothing was run. Write a shorter block; what you have defined stays."

const goOn = "Your answer was cut off before the end of the code. What is complete of it was run: go on after that, with what you have defined."

// notRun says what the checker found in a block whose first statements have run.
func notRun(problems []py.Problem) string {
	return "This statement and those after it were not run, because it would fail:\n" + problemLines(problems)
}

func problemLines(problems []py.Problem) string {
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// refusal says what the checker found. Nothing of the block was run.
func refusal(problems []py.Problem) string {
	return "Nothing of this block was run, because it would fail. Correct it and send the whole block again:\n" + clip(problemLines(problems))
}

// observation is what came of a block that ended well.
func observation(printed, result string) string {
	switch {
	case printed == "" && result == "":
		return "The block ended. It printed nothing, and its last line is no expression: there is no value."
	case printed == "":
		return "Value:\n" + clip(result)
	case result == "":
		return "Printed:\n" + clip(printed)
	}
	return "Printed:\n" + clip(printed) + "\nValue:\n" + clip(result)
}

// failure is what came of a block that failed.
func failure(printed, reason string, made []made) string {
	var b strings.Builder
	if printed != "" {
		fmt.Fprintf(&b, "Printed:\n%s\n", clip(printed))
	}
	fmt.Fprintf(&b, "The block failed:\n%s\n", clip(reason))
	b.WriteString("What its lines before that have done stays, as do the variables.")
	if len(made) > 0 {
		fmt.Fprintf(&b, " If the corrected block makes the same calls as this one (%s), they give what they gave and are not made again.", calledNames(made))
	}
	return b.String()
}

func calledNames(all []made) string {
	var names []string
	count := map[string]int{}
	for _, m := range all {
		if count[m.tool]++; count[m.tool] == 1 {
			names = append(names, m.tool)
		}
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%s: %d", name, count[name])
	}
	return strings.Join(names, ", ")
}

// clip shows the beginning and the end of a long text.
func clip(text string) string {
	text = strings.TrimRight(text, "\n")
	if len(text) <= maxShown {
		return text
	}
	head, tail := value.Shorten(text, maxShown/2), strings.ToValidUTF8(text[len(text)-maxShown/2:], "")
	return fmt.Sprintf("%s\n[%d bytes are left out]\n%s", head, len(text)-len(head)-len(tail), tail)
}

// toolFailure is what a model hears of a tool that failed.
func toolFailure(e *api.Error) string {
	text := string(e.Code) + ": " + e.Message
	if x := e.Details.Exception; x != nil {
		text = x.Type + ": " + x.Message
	}
	if e.Hint != "" {
		text += "\n" + e.Hint
	}
	return clip(text)
}
