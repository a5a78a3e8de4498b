package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestWordsOfComments holds the comments of all Go files to words.
func TestWordsOfComments(t *testing.T) {
	refused := compiled(t, words, openings)
	for _, file := range sources(t) {
		fset, parsed := parse(t, file)
		for _, group := range parsed.Comments {
			line := fset.Position(group.Pos()).Line
			text := strings.Join(strings.Fields(group.Text()), " ")
			refuse(t, refused, file, line, text)
		}
	}
}

// TestWordsOfMessages holds the texts in Go files to words and phrases. What
// tests print is for developers.
func TestWordsOfMessages(t *testing.T) {
	refused := compiled(t, words, phrases)
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(path.Dir(file), "test") {
			continue
		}
		fset, parsed := parse(t, file)
		for at, text := range texts(parsed) {
			refuse(t, refused, file, fset.Position(at).Line, text)
		}
	}
}

// TestPhraseAcrossLines shows that a text counts as one where the source adds it
// up.
func TestPhraseAcrossLines(t *testing.T) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\nvar a = \"it goes\\n\" +\n\t\"on \" + b + `in mind`", 0)
	if err != nil {
		t.Fatal(err)
	}
	found := slices.Sorted(maps.Values(texts(parsed)))
	if want := "it goes on in mind"; !slices.Contains(found, want) {
		t.Errorf("the texts are %q, without %q", found, want)
	}
}

// TestWordsOfDocs holds the pages of the documentation, and the Python client's
// source, to words. Code blocks of a page are code.
func TestWordsOfDocs(t *testing.T) {
	refused := compiled(t, words, openings)
	for _, file := range append(below(t, ".md"), below(t, ".py")...) {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for i, paragraph := range prose(string(data)) {
			refuse(t, refused, file, i, paragraph)
		}
	}
}

// TestWordsOfNames refuses private words as names.
func TestWordsOfNames(t *testing.T) {
	for _, file := range sources(t) {
		fset, parsed := parse(t, file)
		ast.Inspect(parsed, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if instead, private := identifiers[id.Name]; private && id.Obj != nil {
				t.Errorf("%s: the name %s: write %s", fset.Position(id.Pos()), id.Name, instead)
			}
			return true
		})
	}
}

// pattern is a compiled word.
type pattern struct {
	*regexp.Regexp
	instead string
}

func compiled(t *testing.T, lists ...[]word) []pattern {
	t.Helper()
	var all []pattern
	for _, w := range slices.Concat(lists...) {
		re, err := regexp.Compile(w.pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pattern{re, w.instead})
	}
	return all
}

// texts returns the strings of a file by their places: each sum as one, without
// the operands that are no literals, and white space as one space.
func texts(file *ast.File) map[token.Pos]string {
	found := map[token.Pos]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		expr, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		text := strings.Join(strings.Fields(literal(expr)), " ")
		if text == "" {
			return true
		}
		if _, part := found[expr.Pos()]; !part { // of a sum that begins here
			found[expr.Pos()] = text
		}
		return true
	})
	return found
}

// literal returns the text of a string, or of a sum of strings.
func literal(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return literal(e.X) + literal(e.Y)
		}
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	}
	return ""
}

func refuse(t *testing.T, refused []pattern, file string, line int, text string) {
	t.Helper()
	for _, p := range refused {
		if found := p.FindString(text); found != "" {
			t.Errorf("%s:%d: %q: %s\n    %s", file, line, found, p.instead, text)
		}
	}
}

func parse(t *testing.T, file string) (*token.FileSet, *ast.File) {
	t.Helper()
	if known := trees[file]; known != nil {
		return positions, known
	}
	syntax, err := parser.ParseFile(positions, filepath.Join(root, file), nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	trees[file] = syntax
	return positions, syntax
}

// trees are the files that some test has parsed, for the others.
var positions, trees = token.NewFileSet(), map[string]*ast.File{}

// prose returns the paragraphs of a page outside of code blocks by the line at
// which they begin, each as one line, so that a turn of speech across lines is
// found.
func prose(page string) map[int]string {
	found := map[int]string{}
	begin, code := 0, false
	var paragraph []string
	flush := func(next int) {
		if len(paragraph) > 0 {
			found[begin] = strings.Join(paragraph, " ")
		}
		paragraph, begin = nil, next
	}
	for i, line := range strings.Split(page, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if line == "" || code || strings.HasPrefix(line, "```") {
			flush(i + 2)
			continue
		}
		paragraph = append(paragraph, strings.TrimSpace(strings.TrimPrefix(line, "#")))
	}
	flush(0)
	return found
}

// below lists the files of docs and of the Python client that end so.
func below(t *testing.T, ending string) []string {
	t.Helper()
	var files []string
	for _, dir := range []string{"docs", "clients/python/src", "clients/python/README.md", "README.md", "examples", "CONTRIBUTING.md"} {
		err := fs.WalkDir(os.DirFS(root), dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if path.Ext(name) == ending && !d.IsDir() {
				files = append(files, name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}
