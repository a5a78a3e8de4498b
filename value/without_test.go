package value

import "testing"

func TestWithout(t *testing.T) {
	params := []Param{{Name: "a", Type: Type{Kind: KindInt}}, {Name: "b", Type: Type{Kind: KindStr}}}
	f, err := Check(params, map[string]any{"a": 1, "b": "x"})
	if err != nil {
		t.Fatal(err)
	}
	less := f.Without("a", "c")
	if string(less.JSON()) != `{"b":"x"}` || len(less.Params()) != 1 || string(f.JSON()) != `{"a":1,"b":"x"}` {
		t.Errorf("%s of %s", less.JSON(), f.JSON())
	}
}
