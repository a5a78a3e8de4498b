package realtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/internal/cell/pool"
)

func TestZZW3(t *testing.T) {
	r := newRealWith(t, pool.Config{Cells: 4, Memory: 4 << 30})
	if _, err := r.runner.KeepWarm(t.Context(), double(t), 4); err != nil {
		t.Fatal(err)
	}
	until(t, "all", func() bool { return r.pool(t).Idle == 4 })
	fmt.Println("memory of 4 MB", r.pool(t).Memory>>20)
	time.Sleep(70 * time.Second)
	fmt.Println("memory of 4 MB, measured again", r.pool(t).Memory>>20)
}
