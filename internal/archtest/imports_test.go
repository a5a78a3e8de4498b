package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const root = "../.."

// imported is one import in one file.
type imported struct {
	pkg, file, path string
	test            bool
}

func TestOwnImports(t *testing.T) {
	for _, imp := range imports(t) {
		target, own := strings.CutPrefix(imp.path, module)
		target = strings.TrimPrefix(target, "/")
		if !own || imp.test || target == imp.pkg {
			continue
		}
		r, ok := ruleFor(imp.pkg)
		if ok && !matches(r.may, target) && !carriesValues(r, target) {
			t.Errorf("%s imports %q: %s may import %q only, because %s", imp.file, target, imp.pkg, r.may, r.reason)
		}
	}
}

// carriesValues reports whether target is package value, which whoever imports
// api may import: what api carries is made of it.
func carriesValues(r rule, target string) bool {
	return target == "value" && slices.Contains(r.may, "api")
}

func TestEveryPackageHasARule(t *testing.T) {
	seen := map[string]bool{}
	for _, imp := range imports(t) {
		if !imp.test {
			seen[imp.pkg] = true
		}
	}
	for _, pkg := range sorted(seen) {
		if _, ok := ruleFor(pkg); !ok {
			t.Errorf("package %s has no row in rules: say what it may import and why", pkg)
		}
	}
	for _, r := range rules {
		if !slices.ContainsFunc(sorted(seen), func(pkg string) bool { return matches([]string{r.pkg}, pkg) }) {
			t.Errorf("the rule for %q names no package: remove it", r.pkg)
		}
	}
}

// TestEveryPermissionIsUsed refuses what a rule, a home or a confinement allows
// and nothing imports: such a row tells a reader of a need that is gone.
func TestEveryPermissionIsUsed(t *testing.T) {
	all := imports(t)
	used := func(from, target string, tests bool) bool {
		return slices.ContainsFunc(all, func(imp imported) bool {
			own, below := strings.CutPrefix(imp.path, module)
			reached := imp.path == target || strings.HasPrefix(imp.path, target+"/") && thirdParty(target)
			if below {
				reached = matches([]string{target}, strings.TrimPrefix(own, "/"))
			}
			return reached && (tests || !imp.test) && matches([]string{from}, imp.pkg)
		})
	}
	for _, r := range rules {
		for _, target := range r.may {
			if !used(r.pkg, target, false) {
				t.Errorf("%s may import %q, and does not: remove the permission", r.pkg, target)
			}
		}
	}
	for _, h := range homes {
		for _, pkg := range h.pkgs {
			if !used(pkg, h.path, h.tests) {
				t.Errorf("%s names %s as a home, which does not import it: remove the home", h.path, pkg)
			}
		}
	}
	for _, c := range confinements {
		for _, target := range c.may {
			if !slices.ContainsFunc(c.pkgs, func(pkg string) bool { return used(pkg, target, false) }) {
				t.Errorf("%q may import %q, and does not: remove the permission", c.pkgs, target)
			}
		}
	}
}

func TestHomes(t *testing.T) {
	for _, imp := range imports(t) {
		if strings.HasPrefix(imp.path, module) {
			continue
		}
		h, ok := homeOf(imp.path)
		switch {
		case !ok && thirdParty(imp.path):
			t.Errorf("%s imports %s, which has no row in homes: give it one home, and the reason", imp.file, imp.path)
		case !ok || (imp.test && (h.tests || !thirdParty(imp.path))):
		case h.tests && !testSuite(imp.pkg):
			t.Errorf("%s imports %s, which is for tests only", imp.file, imp.path)
		case !matches(h.pkgs, imp.pkg) && !imp.test:
			t.Errorf("%s imports %s: its home is %q, because %s", imp.file, imp.path, h.pkgs, h.reason)
		}
	}
}

func TestEveryRequirementHasAHome(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	direct := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) == 2 && strings.HasPrefix(fields[1], "v") {
			direct[fields[0]] = true
		}
	}
	for _, mod := range sorted(direct) {
		if _, ok := homeOf(mod); !ok {
			t.Errorf("go.mod requires %s, which has no row in homes", mod)
		}
	}
	for _, h := range homes {
		if thirdParty(h.path) && !direct[h.path] {
			t.Errorf("the home of %s is for a module that go.mod does not require: remove it", h.path)
		}
	}
}

// TestStandardLibraryOnly holds the promise of the packages that others build
// on: value and api anywhere, wire and guest with system calls at most.
func TestStandardLibraryOnly(t *testing.T) {
	for _, imp := range imports(t) {
		if imp.test || !thirdParty(imp.path) || strings.HasPrefix(imp.path, module) {
			continue
		}
		switch imp.pkg {
		case "value", "api", "internal/guest/wire":
			t.Errorf("%s imports %s: %s is standard library only", imp.file, imp.path, imp.pkg)
		case "internal/guest", "cmd/glovebox-guest":
			if !strings.HasPrefix(imp.path, "golang.org/x/sys/") {
				t.Errorf("%s imports %s: the guest is the standard library and x/sys only", imp.file, imp.path)
			}
		}
	}
}

// TestConfinedPackages holds confinements: a package of the standard library
// that is not named there is refused until someone says why it is harmless.
func TestConfinedPackages(t *testing.T) {
	for _, imp := range imports(t) {
		if imp.test || imp.path == "" || strings.HasPrefix(imp.path, module) {
			continue
		}
		for _, c := range confinements {
			if matches(c.pkgs, imp.pkg) && !matches(c.except, imp.pkg) && !slices.Contains(c.may, imp.path) {
				t.Errorf("%s imports %q, which %s may not, because %s", imp.file, imp.path, imp.pkg, c.reason)
			}
		}
	}
}

func TestNoInitNoCgo(t *testing.T) {
	for _, imp := range imports(t) {
		if imp.path == "C" {
			t.Errorf("%s imports C: the program is built without cgo", imp.file)
		}
	}
	for _, file := range sources(t) {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains("\n"+string(data), "\nfunc init()") {
			t.Errorf("%s has an init function: it would run in gVisor's processes too", file)
		}
	}
}

func ruleFor(pkg string) (rule, bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return matches([]string{r.pkg}, pkg) })
	if i < 0 {
		return rule{}, false
	}
	return rules[i], true
}

func homeOf(importPath string) (home, bool) {
	i := slices.IndexFunc(homes, func(h home) bool {
		return importPath == h.path || (thirdParty(h.path) && strings.HasPrefix(importPath, h.path+"/"))
	})
	if i < 0 {
		return home{}, false
	}
	return homes[i], true
}

func thirdParty(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return strings.Contains(first, ".")
}

// testSuite reports whether a package is made of tests, though its files do
// not end in _test.go.
func testSuite(pkg string) bool { return strings.HasSuffix(path.Base(pkg), "test") }

func matches(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		prefix, below := strings.CutSuffix(p, "/...")
		return p == "*" || p == pkg || (below && strings.HasPrefix(pkg, prefix+"/"))
	})
}

// imports parses every Go file of the module, whatever its build constraints.
func imports(t *testing.T) []imported {
	t.Helper()
	var all []imported
	for _, file := range sources(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		pkg := path.Dir(file)
		if pkg == "." {
			pkg = ""
		}
		one := imported{pkg: pkg, file: file, test: strings.HasSuffix(file, "_test.go")}
		if len(parsed.Imports) == 0 {
			all = append(all, one)
		}
		for _, spec := range parsed.Imports {
			one.path, err = strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, one)
		}
	}
	return all
}

// sources lists the Go files of the module, slash-separated, below its root.
func sources(t *testing.T) []string {
	t.Helper()
	files, err := walked()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// walked walks through the tree, once for all tests.
var walked = sync.OnceValues(func() (files []string, err error) {
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		skip := name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || name == "tools")
		if d.IsDir() && skip {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".go") {
			files = append(files, name)
		}
		return nil
	})
	return files, err
})
