package value_test

import (
	"errors"
	"path"
	"slices"
	"testing"

	. "github.com/glovebox-dev/glovebox/value"
	"github.com/glovebox-dev/glovebox/value/valuetest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// renamed gives a file another name.
func renamed(file any) (any, error) {
	ref, _ := RefOf(file)
	ref.Path = "new/" + path.Base(ref.Path)
	return ref.In(file), nil
}

func dictOf(key string, v any) *Dict {
	d := NewDict()
	d.Set("first", int64(1))
	d.Set(key, v)
	d.Set("last", nil)
	return d
}

func TestMapFiles(t *testing.T) {
	f, fresh := File{Path: "/a", Size: 3, SHA256: "aa"}, File{Path: "new/a", Size: 3, SHA256: "aa"}
	for name, test := range map[string]struct{ v, want any }{
		"nil":          {nil, nil},
		"a string":     {"/a", "/a"},
		"a nil list":   {[]any(nil), []any(nil)},
		"a nil dict":   {(*Dict)(nil), (*Dict)(nil)},
		"a File":       {f, fresh},
		"a Dir":        {Dir{Path: "/d", Size: 3, Files: 2, SHA256: "dd"}, Dir{Path: "new/d", Size: 3, Files: 2, SHA256: "dd"}},
		"a DataFrame":  {DataFrame{Path: "/t", Format: "parquet"}, DataFrame{Path: "new/t", Format: "parquet"}},
		"a list":       {[]any{"x", f, nil}, []any{"x", fresh, nil}},
		"a tuple":      {Tuple{f, int64(1)}, Tuple{fresh, int64(1)}},
		"a dict":       {dictOf("f", f), dictOf("f", fresh)},
		"deeper":       {[]any{dictOf("t", Tuple{[]any{f}})}, []any{dictOf("t", Tuple{[]any{fresh}})}},
		"empty things": {[]any{Tuple{}, []any{}, NewDict()}, []any{Tuple{}, []any{}, NewDict()}},
	} {
		t.Run(name, func(t *testing.T) {
			before := slices.Collect(Files(test.v))
			got, err := MapFiles(test.v, renamed)
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(Dict{})); diff != "" || err != nil {
				t.Errorf("MapFiles: %v, difference (-want +got):\n%s", err, diff)
			}
			if diff := cmp.Diff(before, slices.Collect(Files(test.v))); diff != "" {
				t.Errorf("MapFiles changed what it was given (-before +after):\n%s", diff)
			}
		})
	}
}

func TestMapFilesEndsAtTheFirstError(t *testing.T) {
	refused := errors.New("refused")
	calls := 0
	got, err := MapFiles([]any{dictOf("f", File{Path: "1"}), Tuple{Dir{Path: "2"}}, File{Path: "3"}}, func(file any) (any, error) {
		if calls++; calls == 2 {
			return file, refused
		}
		return file, nil
	})
	if !errors.Is(err, refused) || got != nil || calls != 2 {
		t.Errorf("MapFiles = %v, %v after %d calls; want nil and the error after 2", got, err, calls)
	}
}

func TestFilesEndWhenAsked(t *testing.T) {
	v := []any{dictOf("f", Tuple{File{Path: "1"}}), File{Path: "2"}}
	var seen []string
	for ref := range Files(v) {
		seen = append(seen, ref.Path)
		break
	}
	if diff := cmp.Diff([]string{"1"}, seen); diff != "" {
		t.Errorf("files seen (-want +got):\n%s", diff)
	}
}

// A value that is mapped holds the same files in the same order under their new
// names, and is the same but for them.
func TestMapFilesKeepsTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := valuetest.Type(3).Draw(t, "type")
		v := valuetest.Value(t, typ)
		text, err := EncodeJSON(typ, v)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		var files []any
		mapped, err := MapFiles(v, func(file any) (any, error) {
			ref, _ := RefOf(file)
			want, files = append(want, "new/"+path.Base(ref.Path)), append(files, file)
			return renamed(file)
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for ref := range Files(mapped) {
			got = append(got, ref.Path)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("files of the mapped value (-want +got):\n%s", diff)
		}
		back, err := MapFiles(mapped, func(any) (any, error) {
			first := files[0]
			files = files[1:]
			return first, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, same := range []any{v, back} { // v is as it was, and back is v again
			if again, err := EncodeJSON(typ, same); err != nil || string(again) != string(text) {
				t.Fatalf("got %s, %v; want %s", again, err, text)
			}
		}
	})
}

func TestMapFilesSharesWhatHoldsNone(t *testing.T) {
	plain := dictOf("x", []any{int64(1)})
	mapped, err := MapFiles([]any{plain, File{Path: "f"}}, renamed)
	if err != nil {
		t.Fatal(err)
	}
	if got := mapped.([]any)[0].(*Dict); got != plain {
		t.Error("a dict without files was copied")
	}
}
