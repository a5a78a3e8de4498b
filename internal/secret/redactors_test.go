package secret

import (
	"runtime"
	"testing"
)

func TestRedactorsAreSharedWhileInUse(t *testing.T) {
	var r Redactors
	one := r.Of(values("hunter22", "abcdef")...)
	if again := r.Of(values("hunter22", "abcdef")...); again != one {
		t.Error("two redactors for the same secrets")
	}
	if other := r.Of(values("hunter22a", "bcdef")...); other == one || other.String("hunter22abcdef") != Marker+Marker {
		t.Error("one redactor for other secrets")
	}
	runtime.KeepAlive(one)
	runtime.GC()
	r.Of(values("third")...)
	if len(r.shared) != 1 {
		t.Errorf("%d redactors are remembered, of which one is in use", len(r.shared))
	}
}
