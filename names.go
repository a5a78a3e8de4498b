package glovebox

import (
	"crypto/rand"
	"strconv"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// names says what the functions of one run are called. A function that is
// neither registered nor has a version may be one of many that the same line of
// code makes, such as a closure for each request: it is called by an id that no
// other run has.
type names struct {
	offers   *offers
	instance string

	mu    sync.Mutex
	ids   map[*function]string
	taken map[string]*function
}

func (g *Glovebox) names(instance string) *names {
	return &names{offers: g.offers, instance: instance, ids: map[*function]string{}, taken: map[string]*function{}}
}

// of returns the id of f. Two functions of the same code get ids by the order
// in which they are first asked for.
func (n *names) of(f *function) (string, error) {
	own := f.task.Function.ID
	n.mu.Lock()
	defer n.mu.Unlock()
	if f.versioned || n.offers.keeps(f) {
		if other := n.taken[own]; other != nil && other != f {
			return "", sameID(own)
		}
		n.taken[own] = f
		return own, nil
	}
	if id, ok := n.ids[f]; ok {
		return id, nil
	}
	first := instanceID(own, n.instance)
	id := first
	for i := 2; n.taken[id] != nil; i++ {
		id = first + "." + strconv.Itoa(i)
	}
	n.ids[f], n.taken[id] = id, f
	return id, nil
}

// instanceID is the id of a function of one run, or of the runs that one
// invocation of a function starts.
func instanceID(own, instance string) string { return own + api.InstanceMark + instance }

// instanceOf returns the instance of what text names, which is the same in every
// process.
func instanceOf(text string) string { return api.DigestOf([]byte(text))[len("sha256:"):][:16] }

// newInstance returns an instance that is unique.
func newInstance() string { return rand.Text() }
