// Package yamlfile reads YAML that people write, strictly: what it does not know
// is an error with its place, and nothing in a file can grow on reading.
package yamlfile

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/glovebox-dev/glovebox/api"
)

// Bounds on the YAML of a file. The parser needs time that grows with the
// square of both.
const (
	maxTokens  = 40_000
	maxNesting = 50
)

// MaxSize bounds the text of a file, in bytes.
const MaxSize = 1 << 20

// Node is a part of the tree.
type Node = ast.Node

// Reader reads one file. The first problem stays in Err, and what is read after
// it does not count.
type Reader struct {
	Path  string // of the file, for messages
	Text  []byte
	Hints Hints
	Err   *api.Error
}

// Hints say what to do about files of one kind.
type Hints struct {
	Empty  string // that say nothing
	Large  string // with too many words
	Shared string // with values that are to be used twice
}

// Tree parses the text, which must be one document without the parts of YAML
// that can grow on reading.
func (r *Reader) Tree() (root Node, err error) {
	if !utf8.Valid(r.Text) {
		return nil, r.at(nil, "the file is not UTF-8")
	}
	if len(r.Text) > MaxSize {
		return nil, r.at(nil, "the file is larger than 1 MiB")
	}
	defer func() { // the parser has met hostile files, but surely not all of them
		if trouble := recover(); trouble != nil {
			root, err = nil, r.at(nil, "the YAML cannot be parsed")
		}
	}()
	tokens := lexer.Tokenize(string(r.Text))
	if err := r.checkTokens(tokens); err != nil {
		return nil, err
	}
	parsed, failed := parser.Parse(tokens, 0)
	if failed != nil {
		return nil, r.syntaxError(failed)
	}
	return r.onlyDocument(parsed)
}

func (r *Reader) onlyDocument(parsed *ast.File) (Node, error) {
	if len(parsed.Docs) > 1 && parsed.Docs[1].Body != nil {
		return nil, r.at(parsed.Docs[1].Body.GetToken(), "a file holds one YAML document, not several")
	}
	if len(parsed.Docs) == 0 || parsed.Docs[0].Body == nil {
		return nil, r.at(nil, "the file is empty").WithHint("%s", r.Hints.Empty)
	}
	return parsed.Docs[0].Body, nil
}

// checkTokens bounds what the parser gets to see.
func (r *Reader) checkTokens(tokens token.Tokens) error {
	if len(tokens) > maxTokens {
		return r.at(tokens[maxTokens], "the file has more than %d words", maxTokens).WithHint("%s", r.Hints.Large)
	}
	brackets, entries, line := 0, 0, 0
	for _, tk := range tokens {
		if tk.Position.Line != line {
			entries, line = 0, tk.Position.Line
		}
		switch tk.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType, token.TagType, token.DirectiveType:
			return r.at(tk, "anchors, aliases, merge keys, tags and directives of YAML are not used here").
				WithHint("%s", r.Hints.Shared)
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.SequenceEntryType, token.MappingKeyType:
			entries++
		}
		if brackets+entries > maxNesting || tk.Position.IndentLevel > maxNesting {
			return r.at(tk, "the file is nested deeper than %d levels", maxNesting)
		}
	}
	return nil
}

// syntaxError puts an error of the parser into our form.
func (r *Reader) syntaxError(err error) error {
	var known yaml.Error
	if !errors.As(err, &known) {
		return r.at(nil, "%s", firstLine(err.Error()))
	}
	e := r.at(known.GetToken(), "%s", firstLine(known.GetMessage()))
	if strings.Contains(e.Message, "must be specified") {
		e = e.WithHint(`close the bracket; within {} and [] a type with brackets needs quotes: "list[int]"`)
	}
	return e
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Fail keeps the first problem, which is at n, and returns it for a hint.
func (r *Reader) Fail(n Node, format string, args ...any) *api.Error {
	e := r.at(n.GetToken(), format, args...)
	if r.Err == nil {
		r.Err = e
	}
	return e
}

// at is a problem at tk, with the line and a caret below it.
func (r *Reader) at(tk *token.Token, format string, args ...any) *api.Error {
	place, shown := r.Path, ""
	if tk != nil && tk.Position != nil {
		line, column := tk.Position.Line, tk.Position.Column
		place = fmt.Sprintf("%s:%d:%d", place, line, column)
		shown = r.caret(line, column)
	}
	return api.Errorf(api.InvalidTask, "%s: %s", place, fmt.Sprintf(format, args...)).
		WithDetails(api.Details{Field: place, Log: shown}).WithHint("correct this place of the file")
}

// maxShown bounds the columns of a line that is shown.
const maxShown = 160

// caret shows a line with a mark below its column; both count from 1.
func (r *Reader) caret(line, column int) string {
	lines := strings.Split(string(r.Text), "\n")
	if line < 1 || line > len(lines) || column < 1 || column > maxShown {
		return ""
	}
	shown := []rune(strings.TrimRight(lines[line-1], "\r"))
	if len(shown) > maxShown {
		shown = shown[:maxShown]
	}
	return string(shown) + "\n" + strings.Repeat(" ", column-1) + "^\n"
}
