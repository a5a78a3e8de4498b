package machine

import (
	"testing"
	"unsafe"
)

// Programs have instances in great numbers: these sizes are ones that the
// allocator has, and a word more would cost the next larger one.
func TestSizesOfInstances(t *testing.T) {
	for name, sizes := range map[string][2]uintptr{
		"bare":     {unsafe.Sizeof(instance{}), 128},
		"of two":   {unsafe.Sizeof(instanceOf2{}), 208},
		"of four":  {unsafe.Sizeof(instanceOf4{}), 288},
		"a number": {unsafe.Sizeof(numberInstance{}), 224},
	} {
		if sizes[0] > sizes[1] {
			t.Errorf("an instance, %s, has %d bytes, want at most %d", name, sizes[0], sizes[1])
		}
	}
}
