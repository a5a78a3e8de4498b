package image

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestCanonicalForgetsOrderAndSpelling(t *testing.T) {
	a, err := Canonical(api.ImageSpec{Packages: []string{"numpy", "Pandas >= 2", "numpy"}, SystemPackages: []string{"curl", "file"}, Commands: []string{"b", "a"}, Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Canonical(api.ImageSpec{Packages: []string{"pandas>=2", "NumPy"}, SystemPackages: []string{"file", "curl"}, Commands: []string{"b", "a"}, Name: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, b); diff != "" || a.Digest() != b.Digest() {
		t.Errorf("two spellings are two specs:\n%s", diff)
	}
	c, err := Canonical(api.ImageSpec{Packages: []string{"pandas>=2", "NumPy"}, SystemPackages: []string{"file", "curl"}, Commands: []string{"a", "b"}})
	if err != nil || c.Digest() == a.Digest() {
		t.Errorf("the order of commands does not matter: %v", err)
	}
	if want := "glovebox-" + a.Digest()[:12]; a.DefaultName() != want {
		t.Errorf("name %q, want %q", a.DefaultName(), want)
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		spec  api.ImageSpec
		code  api.Code
		field string
	}{
		"ref and packages":  {api.ImageSpec{Ref: "a", Packages: []string{"b"}}, api.InvalidTask, "image.packages"},
		"ref and base":      {api.ImageSpec{Ref: "a", Base: "b"}, api.InvalidTask, "image.base"},
		"ref and python":    {api.ImageSpec{Ref: "a", Python: "3.12"}, api.InvalidTask, "image.python"},
		"ref and apt":       {api.ImageSpec{Ref: "a", SystemPackages: []string{"b"}}, api.InvalidTask, "image.system_packages"},
		"ref and commands":  {api.ImageSpec{Ref: "a", Commands: []string{"b"}}, api.InvalidTask, "image.commands"},
		"ref and name":      {api.ImageSpec{Ref: "a", Name: "b"}, api.InvalidTask, "image.name"},
		"ref and registry":  {api.ImageSpec{Ref: "a", Registry: "b"}, api.InvalidTask, "image.registry"},
		"ref with newline":  {api.ImageSpec{Ref: "a\nb"}, api.InvalidTask, "image.ref"},
		"base as an option": {api.ImageSpec{Base: "--x"}, api.InvalidTask, "image.base"},
		"python 2":          {api.ImageSpec{Python: "2.7"}, api.InvalidTask, "image.python"},
		"python words":      {api.ImageSpec{Python: "latest"}, api.InvalidTask, "image.python"},
		"name with slash":   {api.ImageSpec{Name: "../x"}, api.InvalidTask, "image.name"},
		"upper-case name":   {api.ImageSpec{Name: "X"}, api.InvalidTask, "image.name"},
		"empty command":     {api.ImageSpec{Commands: []string{" "}}, api.InvalidTask, "image.commands"},
		"NUL in a command":  {api.ImageSpec{Commands: []string{"a\x00"}}, api.InvalidTask, "image.commands"},
		"many commands":     {api.ImageSpec{Commands: strings.Split(strings.Repeat("a ", 101), " ")}, api.InvalidTask, "image.commands"},
		"option as package": {api.ImageSpec{Packages: []string{"-r x"}}, api.InvalidPackage, "packages"},
		"option as deb":     {api.ImageSpec{SystemPackages: []string{"-y"}}, api.InvalidPackage, "system_packages"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Canonical(tt.spec)
			e := api.AsError(err)
			if !errors.Is(err, &api.Error{Code: tt.code}) || e.Details.Field != tt.field {
				t.Errorf("error %v with field %q, want %s of %s", err, e.Details.Field, tt.code, tt.field)
			}
		})
	}
}
