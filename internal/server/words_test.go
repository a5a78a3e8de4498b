package server

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the generated files again instead of comparing them")

// TestFreshWords compares words.json with the comments that it is made of.
func TestFreshWords(t *testing.T) {
	w := words{}
	for _, dir := range []string{"../../value", "../../api", "."} {
		for _, file := range parseDir(t, dir) {
			for _, decl := range file.Decls {
				if decl, ok := decl.(*ast.GenDecl); ok {
					w.collect(file.Name.Name, decl)
				}
			}
		}
	}
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	if err := e.Encode(w); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("words.json", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(string(wordsText), "\n")); diff != "" {
		t.Errorf("words.json is out of date; run make generate (-want +got):\n%s", diff)
	}
}

func parseDir(t *testing.T, dir string) (files []*ast.File) {
	sources, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(gotoken.NewFileSet(), dir+"/"+name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// collect adds the structs and the constants of a declaration.
func (w words) collect(pkg string, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			name, doc := pkg+"."+spec.Name.Name, spec.Doc
			if doc == nil && len(decl.Specs) == 1 {
				doc = decl.Doc
			}
			known := w[name]
			if known.Doc = prose(doc); isStruct(spec) {
				known.Fields = fieldWords(spec.Type.(*ast.StructType))
			}
			if isStruct(spec) && len(known.Fields) > 0 || isString(spec) {
				w[name] = known
			}
		case *ast.ValueSpec:
			kind, ok := spec.Type.(*ast.Ident)
			if !ok || decl.Tok != gotoken.CONST || !ast.IsExported(kind.Name) {
				continue
			}
			known := w[pkg+"."+kind.Name]
			for _, v := range spec.Values {
				if text, err := strconv.Unquote(literal(v)); err == nil {
					known.Values = append(known.Values, text)
					w[pkg+"."+kind.Name] = known
				}
			}
		}
	}
}

func isStruct(spec *ast.TypeSpec) bool {
	_, ok := spec.Type.(*ast.StructType)
	return ok
}

func isString(spec *ast.TypeSpec) bool {
	kind, ok := spec.Type.(*ast.Ident)
	return ok && kind.Name == "string"
}

func literal(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == gotoken.STRING {
		return l.Value
	}
	return ""
}

func fieldWords(s *ast.StructType) map[string]string {
	found := map[string]string{}
	for _, f := range s.Fields.List {
		if f.Tag == nil {
			continue
		}
		tag, _ := strconv.Unquote(f.Tag.Value)
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		if text := strings.TrimSpace(prose(f.Doc) + " " + prose(f.Comment)); text != "" {
			found[name] = text
		}
	}
	return found
}

// prose is the text of a comment, with a capital letter, and in one line unless
// it has a table.
func prose(c *ast.CommentGroup) string {
	text := strings.TrimSpace(c.Text())
	if !strings.Contains(text, "\n\t") {
		text = strings.Join(strings.Fields(text), " ")
	}
	first, n := utf8.DecodeRuneInString(text)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[n:]
}
