package machine

import "testing"

func TestLibraryImports(t *testing.T) {
	runs(t, [][2]string{{"import random\nr = random.Random(5)\n(r.random(), r.randint(1, 100))", ""},
	{"import collections, functools, itertools, dataclasses, enum, typing, string, textwrap, operator, heapq, bisect, copy, contextlib, uuid, abc",""},
	{"import fractions, statistics", ""}, {"import decimal",""}, {"import datetime", ""},
	})
}
