package traceback

import (
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/streams"
)

// Error says what was raised, and where in the user's code.
func Error(x *api.Exception) *api.Error {
	code := api.PythonException
	if isSyntaxError(x.Type) && len(x.Frames) > 0 && x.Frames[len(x.Frames)-1].Function == "" {
		code = api.SyntaxError
	}
	text := x.Type
	if x.Message != "" {
		text += ": " + streams.FirstLine(streams.Clean(x.Message, MessageBytes))
	}
	if len(x.Frames) == 0 {
		return api.Errorf(code, "%s", text)
	}
	at := x.Frames[len(x.Frames)-1]
	if at.Function == "" || at.Function == "<module>" {
		return api.Errorf(code, "%s, at %s:%d", text, at.File, at.Line)
	}
	return api.Errorf(code, "%s, at %s:%d in %s", text, at.File, at.Line, at.Function)
}

func isSyntaxError(kind string) bool {
	return kind == "SyntaxError" || kind == "IndentationError" || kind == "TabError"
}
