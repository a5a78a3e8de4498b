package dockerfile

import (
	"errors"
	"fmt"

	"github.com/moby/buildkit/frontend/dockerfile/parser"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// field is the field of a task at fault.
const field = "image.dockerfile"

func line(location []parser.Range) int {
	if len(location) == 0 {
		return 0
	}
	return location[0].Start.Line
}

// problem is what is wrong in one instruction.
func problem(location []parser.Range, format string, args ...any) *api.Error {
	return Problem(line(location), format, args...)
}

// Problem is what is wrong in the instruction at a line.
func Problem(line int, format string, args ...any) *api.Error {
	return api.Errorf(api.InvalidTask, "Dockerfile:%d: %w", line, fmt.Errorf(format, args...)).WithDetails(api.Details{Field: field})
}

// at says where an error of BuildKit's packages comes from.
func at(location []parser.Range, err error) error {
	var own *api.Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	return problem(location, "%w", err)
}

// parserPrefix is the place of an error in words of the parser.
var parserPrefix = lazyregexp.New(`^dockerfile parse error on lines? [0-9-]+: `)

// wrong is an error of the parser, which knows its line.
func wrong(err error) error {
	reason := parserPrefix().ReplaceAllString(err.Error(), "")
	var located *parser.LocationError
	if errors.As(err, &located) && len(located.Locations) > 0 && line(located.Locations[0]) > 0 {
		return problem(located.Locations[0], "%s", reason)
	}
	return api.Errorf(api.InvalidTask, "Dockerfile: %s", reason).WithDetails(api.Details{Field: field})
}
