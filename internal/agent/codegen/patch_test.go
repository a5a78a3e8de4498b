package codegen

import "testing"

func TestSplice(t *testing.T) {
	const tests = `import pytest

@pytest.mark.parametrize("x", [
    1,
])
def test_a(x):
    assert x == 1

    assert True


class TestB:
    @pytest.fixture
    def b(self): ...

    def test_b(self, b):
        assert b

    def test_ba(self):
        pass
`
	for name, tt := range map[string]struct {
		patches []patch
		want    string
	}{
		"none":       {nil, tests},
		"empty":      {[]patch{{"test_a", " "}}, tests},
		"in a class": {[]patch{{"test_solution.py::TestB::test_b[1]", "def test_b(self):\n    assert 1\n"}}, "import pytest\n\n@pytest.mark.parametrize(\"x\", [\n    1,\n])\ndef test_a(x):\n    assert x == 1\n\n    assert True\n\n\nclass TestB:\n    @pytest.fixture\n    def b(self): ...\n\n    def test_b(self):\n        assert 1\n\n    def test_ba(self):\n        pass\n"},
		"new":        {[]patch{{"test_c", "```python\ndef test_c():\n    pass\n```"}}, tests + "\n\ndef test_c():\n    pass\n"},
		"the last":   {[]patch{{"test_ba", "    def test_ba(self):\n        assert 2"}}, tests[:len(tests)-len("        pass\n")] + "        assert 2\n"},
	} {
		if got := splice(tests, tt.patches); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, tt.want)
		}
	}
	plain := "def test_a():\n    pass\n\n@mark\n@other(1)\ndef test_b():\n    pass\n\nX = 1\n"
	if got, want := splice(plain, []patch{{"test_b", "@mark\ndef test_b():\n    assert 1"}}), "def test_a():\n    pass\n\n@mark\ndef test_b():\n    assert 1\n\nX = 1\n"; got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestImported(t *testing.T) {
	code := "import os, numpy as np, a.b\n  import json\nfrom cv2.x import y\nfrom . import z\nfrom solution import f\nimportant = 1\n"
	if got := imported(code); len(got) != 3 || got[0] != "a" || got[1] != "cv2" || got[2] != "numpy" {
		t.Error(got)
	}
}
