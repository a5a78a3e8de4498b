package inputs

import (
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/internal/sandbox/check"
)

// Arguments offers every input as --name value, in declaration order. A file is
// its path, a collection of files JSON with their paths, and a file that is None
// is left out. A value that begins with "-" and is no number is joined to its
// name by "=". The standard input is left out: what reads that takes no option
// for it. What cannot be an argument is left out, and is in its file all the same: a value
// with NUL, one that is not valid UTF-8, one of 128 KiB or more, and whatever
// follows once all values have reached 512 KiB.
func (in Inputs) Arguments(stdin string) []string {
	var argv []string
	left := check.MaxArguments
	for _, i := range in {
		value := i.path()
		if i.source == nil {
			value = string(i.text())
		}
		word := "--" + i.Param.Name + "=" + value
		if i.absent() || i.Param.Name == stdin || strings.ContainsRune(value, 0) || !utf8.ValidString(value) || len(word) > check.MaxArgument || len(word) > left {
			continue
		}
		left -= len(word)
		if strings.HasPrefix(value, "-") && !isNumber(value) {
			argv = append(argv, word)
			continue
		}
		argv = append(argv, "--"+i.Param.Name, value)
	}
	return argv
}

// isNumber reports what argparse takes for a negative number and so for a
// value: -1, -1.5, -.5.
func isNumber(s string) bool {
	digits, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if point {
		return allDigits(digits) && allDigits(fraction) && fraction != ""
	}
	return allDigits(digits) && digits != ""
}

func allDigits(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}
