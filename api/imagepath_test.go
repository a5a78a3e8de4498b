package api_test

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestAbsoluteImage(t *testing.T) {
	for ref, want := range map[string]string{
		"":                      "",
		"debian:trixie":         "debian:trixie",
		"python:3.12-slim":      "python:3.12-slim",
		"127.0.0.1:5000/team/x": "127.0.0.1:5000/team/x",
		"./x.tar":               "/d/e/x.tar",
		"../x.tar":              "/d/x.tar",
		"./":                    "/d/e",
		"/x.tar":                "/x.tar",
		"oci:layout":            "oci:/d/e/layout",
		"oci:/layout":           "oci:/layout",
		"archive:./x.tar":       "archive:/d/e/x.tar",
		"archive:":              "archive:",
	} {
		got, err := api.AbsoluteImage(ref, "/d/e")
		if got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", ref, got, err, want)
		}
		if again, err := api.AbsoluteImage(got, "/elsewhere"); again != got || err != nil {
			t.Errorf("%q is not absolute: %q, %v", got, again, err)
		}
		_, before := api.ImagePath(ref)
		if _, after := api.ImagePath(got); before != after {
			t.Errorf("%q: a path: %t, %q: %t", ref, before, got, after)
		}
	}
}
