package image

import (
	"regexp"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// pattern is one way in which a tool says what went wrong; its first group, if
// it has one, is the package at fault.
type pattern struct {
	words func() *regexp.Regexp
	code  api.Code
	said  string // what the message says after the package
}

// uvPatterns are what uv says, the more telling first. Its words were taken
// from runs of the pinned version.
var uvPatterns = []pattern{
	{lazyregexp.New("(?:Failed to download and build|Failed to build|Failed to prepare distributions|Building) `?([A-Za-z0-9][A-Za-z0-9._-]*?)(?:==| @ |`)"), api.BuildFailed, "could not be built"},
	{lazyregexp.New(`([A-Za-z0-9][A-Za-z0-9._-]*) was not found in the (?:package registry|provided package locations|cache)`), api.InvalidPackage, "does not exist in the package index"},
	{lazyregexp.New(`there (?:is|are) no versions? of ([A-Za-z0-9][A-Za-z0-9._-]*)`), api.InvalidPackage, "has no such version"},
	{lazyregexp.New(`([A-Za-z0-9][A-Za-z0-9._-]*?)(?:==\S+)? has no (?:wheels|usable wheels|source distribution)`), api.InvalidPackage, "has no version for this Python and platform"},
	{lazyregexp.New(`[Bb]ecause only ([A-Za-z0-9][A-Za-z0-9._-]*)\S* (?:is|are) available and you require`), api.InvalidPackage, "has no such version"},
	{lazyregexp.New(`unsatisfiable|No solution found`), api.ResolutionFailed, ""},
	{lazyregexp.New(`(?i)error sending request|dns error|error trying to connect|operation timed out|tunnel error|Failed to fetch|HTTP status (?:server|client) error|connection (?:reset|refused)`), api.IndexUnavailable, ""},
}

// aptPatterns are what apt-get says, in the C locale.
var aptPatterns = []pattern{
	{lazyregexp.New(`E: Unable to locate package (\S+)`), api.InvalidPackage, "does not exist in the base's package sources"},
	{lazyregexp.New(`E: Package '([^']+)' has no installation candidate`), api.InvalidPackage, "cannot be installed from the base's package sources"},
	{lazyregexp.New(`E: Version '[^']*' for '([^']+)' was not found`), api.InvalidPackage, "has no such version"},
	{lazyregexp.New(`E: Couldn't find any package by (?:regex|glob) '([^']+)'`), api.InvalidPackage, "does not exist in the base's package sources"},
	{lazyregexp.New(`unmet dependencies|held broken packages|but it is not going to be installed`), api.ResolutionFailed, ""},
	{lazyregexp.New(`Could not resolve|Could not connect|Failed to fetch|Temporary failure|Unable to connect|Connection (?:timed out|failed|refused)|Could not handshake|Certificate verification failed`), api.IndexUnavailable, ""},
}

// diagnoseUV turns the words of uv into an error. packages are the
// requirements, nil for an installation of what was locked.
func diagnoseUV(log string, exit cell.Exit, packages []string) *api.Error {
	words := strings.Join(strings.Fields(log), " ")
	for _, p := range uvPatterns {
		m := p.words().FindStringSubmatch(words)
		if m == nil {
			continue
		}
		if p.code == api.InvalidPackage && packages != nil && !mentioned(packages, m[1]) && !strings.Contains(p.said, "exist") {
			p = pattern{code: api.ResolutionFailed} // a requirement of a requirement: the pins do not fit
			m = m[:1]
		}
		return toolError(p, m, "Python package", uvReason(words), log, exit)
	}
	return toolError(pattern{code: api.BuildFailed}, nil, "Python package", lastLine(log), log, exit)
}

// mentioned says whether the user asked for the package by name.
func mentioned(packages []string, name string) bool {
	return slices.ContainsFunc(packages, func(p string) bool {
		req, err := ParseRequirement(p, true)
		return err == nil && req.Name == NormalizeName(name)
	})
}

var uvCause = lazyregexp.New(`(?:Because|cause: Because) .*?(?:unsatisfiable\.|$)`)

// uvReason is the sentence in which uv explains itself.
func uvReason(words string) string {
	if m := uvCause().FindString(words); m != "" {
		return strings.TrimPrefix(m, "cause: ")
	}
	if _, rest, ok := strings.Cut(words, "error: "); ok {
		return rest
	}
	return words
}

// diagnoseApt turns the words of apt-get into an error.
func diagnoseApt(log string, exit cell.Exit) *api.Error {
	for _, p := range aptPatterns {
		if m := p.words().FindStringSubmatch(log); m != nil {
			return toolError(p, m, "system package", aptReason(log), log, exit)
		}
	}
	return toolError(pattern{code: api.BuildFailed}, nil, "system package", lastLine(log), log, exit)
}

// aptReason joins the lines of errors.
func aptReason(log string) string {
	var out []string
	for line := range strings.Lines(log) {
		if strings.HasPrefix(line, "E: ") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	if len(out) == 0 {
		return lastLine(log)
	}
	return strings.Join(out, " ")
}

func toolError(p pattern, groups []string, kind, reason, log string, exit cell.Exit) *api.Error {
	if len(reason) > 1000 {
		reason = reason[:1000] + "..."
	}
	details := api.Details{Log: lastLines(log, 100), ExitCode: exit.Code}
	if len(groups) > 1 {
		details.Package = groups[1]
		return api.Errorf(p.code, "%s %s %s: %s", kind, groups[1], p.said, reason).WithDetails(details)
	}
	what := map[api.Code]string{
		api.ResolutionFailed: "the requirements contradict each other",
		api.IndexUnavailable: "the package index could not be reached",
	}[p.code]
	if what == "" {
		what = "installing failed"
	}
	return api.Errorf(p.code, "%ss: %s: %s", kind, what, reason).WithDetails(details)
}
