package main

import (
	"os"
	"slices"
	"testing"
)

func TestParentIn(t *testing.T) {
	for stat, want := range map[string]int{
		"7 (sh) S 3 7 7 0": 3,
		"7 (a) S 9) S 3 7": 3, // the name is "a) S 9"
		"7 (sh) S":         0,
		"":                 0,
	} {
		if got := parentIn([]byte(stat)); got != want {
			t.Errorf("of %q: got %d, want %d", stat, got, want)
		}
	}
}

func TestBelow(t *testing.T) {
	all, err := below(os.Getppid())
	if err != nil {
		t.Fatal(err)
	}
	if all[0] != os.Getppid() || !slices.Contains(all, os.Getpid()) {
		t.Errorf("below %d are %v, want also %d", os.Getppid(), all, os.Getpid())
	}
}

func TestRollup(t *testing.T) {
	got := rollup(`55e0-7ffd ---p 00000000 00:00 0    [rollup]
Rss:                4096 kB
Pss:                3072 kB
Pss_Anon:           1024 kB
Pss_File:           1024 kB
Pss_Shmem:          1024 kB
Private_Clean:       512 kB
Private_Dirty:      1536 kB
`)
	if want := (memory{private: 2, held: 2, pss: 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
