package s3

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]Address{
		"s3://bucket":       {Bucket: "bucket", Cache: defaultCache},
		"s3://bucket/a/b-c": {Bucket: "bucket", Prefix: "a/b-c/", Cache: defaultCache},
		"s3://b.u_c/p/?region=eu-central-1&cache=1Gi":                             {Bucket: "b.u_c", Prefix: "p/", Region: "eu-central-1", Cache: 1 << 30},
		"s3://bucket/p?endpoint=http://127.0.0.1:9000":                            {Bucket: "bucket", Prefix: "p/", Endpoint: "http://127.0.0.1:9000", PathStyle: true, Cache: defaultCache},
		"s3://bucket/p?endpoint=s3.example.com&path_style=false":                  {Bucket: "bucket", Prefix: "p/", Endpoint: "https://s3.example.com", Cache: defaultCache},
		"s3://bucket/p?endpoint=https%3A%2F%2Fs3.example.com%2F&path_style=false": {Bucket: "bucket", Prefix: "p/", Endpoint: "https://s3.example.com", Cache: defaultCache},
	} {
		got, err := ParseAddress(text)
		if diff := cmp.Diff(got, want); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", text, err, diff)
		}
		if again, err := ParseAddress(got.Place()); err != nil || again.Place() != got.Place() {
			t.Errorf("%s: the place %s is no address: %v", text, got.Place(), err)
		}
	}
}

func TestParseAddressRefuses(t *testing.T) {
	for _, text := range []string{
		"", "s3:", "s3://", "s3:bucket", "http://bucket", "s3://ab", "s3://-bucket", "s3://bucket:9000/p", "s3://bucket/../p", "s3://bucket/a//b", "s3://bucket/a b",
		"s3://bucket/p#hunter2", "s3://key:hunter2@bucket/p", "s3://bucket/" + strings.Repeat("x", 401), "s3://bucket/p?secret_key=hunter2", "s3://bucket/p?region=",
		"s3://bucket/p?region=a&region=b", "s3://bucket/p?cache=hunter2", "s3://bucket/p?cache=1", "s3://bucket/p?path_style=hunter2", "s3://bucket/p?endpoint=ftp://h",
		"s3://bucket/p?endpoint=http://key:hunter2@host", "s3://bucket/p?endpoint=http://host/path", "s3://bucket/p?endpoint=https://", "s3://bucket/p?%zz",
	} {
		_, err := ParseAddress(text)
		if !errors.Is(err, &api.Error{Code: api.RequestInvalid}) || api.AsError(err).Hint == "" {
			t.Errorf("%q: %v, want request_invalid with a hint", text, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the error repeats what may be secret: %v", text, err)
		}
	}
}
