package api

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/value"
)

// LabelRule is the rule for labels, by which people find again what they made. Lists are
// asked for what has NAME=VALUE.
type LabelRule struct {
	Field  string // that has them, in errors; empty means labels
	Labels int    // at most
	Bytes  int    // of a name and its value together
	// Line asks for names and values that people can write as NAME=VALUE in a line.
	Line bool
}

// The rules for runs, of whose labels a journal keeps an index, and for sessions, whose
// labels hold what programs note there.
var (
	RunLabels     = LabelRule{Labels: 32, Bytes: 512, Line: true}
	SessionLabels = LabelRule{Labels: 100, Bytes: 4 << 10}
	// NodeLabels is for what runs select nodes by.
	NodeLabels = LabelRule{Field: "node_selector", Labels: 16, Bytes: 256, Line: true}
)

// Check reports what is wrong with labels, in the order of their names.
func (r LabelRule) Check(labels map[string]string) error {
	if len(labels) > r.Labels {
		return WrongField(r.field(), strconv.Itoa(len(labels))+" labels", "at most "+strconv.Itoa(r.Labels))
	}
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		if err := r.checkOne(name, labels[name]); err != nil {
			return err
		}
	}
	return nil
}

func (r LabelRule) field() string { return cmp.Or(r.Field, "labels") }

func (r LabelRule) checkOne(name, text string) error {
	shown := value.Quote(value.Shorten(name, 100))
	switch {
	case name == "":
		return WrongField(r.field(), "a label without a name", "a name for each, such as user")
	case len(name)+len(text) > r.Bytes:
		return WrongField(r.field(), strconv.Itoa(len(name)+len(text))+" bytes of "+shown, "at most "+strconv.Itoa(r.Bytes)+" of a name and its value")
	case !utf8.ValidString(name) || !utf8.ValidString(text):
		return WrongField(r.field(), "not UTF-8 in "+shown, "a name and a value in UTF-8")
	case !r.Line:
		return nil
	case strings.Contains(name, "=") || !oneLine(name):
		return WrongField(r.field(), "the name "+shown, "a name of printable characters without '=', and without space around it")
	case !oneLine(text):
		return WrongField(r.field(), "the value "+value.Quote(value.Shorten(text, 100))+" of "+shown, "a value of printable characters, without space around it")
	}
	return nil
}

// oneLine reports whether a text comes through forms, tables and command lines as it is.
func oneLine(text string) bool {
	return strings.TrimSpace(text) == text && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// JoinLabels returns the labels of a task with those of its run laid over them; nil
// for none.
func JoinLabels(ofTask, ofRun map[string]string) map[string]string {
	if len(ofTask)+len(ofRun) == 0 {
		return nil
	}
	all := make(map[string]string, len(ofTask)+len(ofRun))
	maps.Copy(all, ofTask)
	maps.Copy(all, ofRun)
	return all
}

// ParseLabels reads labels that are each written as NAME=VALUE. The error names the
// parameter that they are in.
func ParseLabels(parameter string, texts []string) (map[string]string, error) {
	labels, wrong := ReadLabels(texts)
	switch {
	case wrong == nil:
		return labels, nil
	case wrong.Name == "":
		return nil, wrongLabel(parameter, wrong.Text, "NAME=VALUE")
	}
	return nil, wrongLabel(parameter, wrong.Text, "one value of each label, and "+value.Shorten(wrong.Name, 100)+" has another one")
}

// WrongLabel is a text that is no label, or, if it has a name, one of a label that has
// another value already.
type WrongLabel struct{ Text, Name, Before, Value string }

// ReadLabels reads labels that are each written as NAME=VALUE, up to the first that is
// wrong; nil for none.
func ReadLabels(texts []string) (map[string]string, *WrongLabel) {
	var labels map[string]string
	for _, text := range texts {
		name, label, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, &WrongLabel{Text: text}
		}
		if before, twice := labels[name]; twice && before != label {
			return nil, &WrongLabel{text, name, before, label}
		}
		if labels == nil {
			labels = make(map[string]string, len(texts))
		}
		labels[name] = label
	}
	return labels, nil
}

func wrongLabel(parameter, got, expected string) *Error {
	got = value.Quote(value.Shorten(got, 100))
	return Errorf(RequestInvalid, "%s is %s, expected %s", parameter, got, expected).
		WithDetails(Details{Field: parameter, Expected: expected, Got: got})
}

// LabelTexts writes labels as NAME=VALUE, in the order of their names.
func LabelTexts(labels map[string]string) []string {
	texts := make([]string, 0, len(labels))
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		texts = append(texts, name+"="+labels[name])
	}
	return texts
}
