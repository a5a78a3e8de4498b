package api

import "testing"

func TestCallable(t *testing.T) {
	task := &Task{Kind: KindAgent, Orchestrator: &Orchestrator{Tools: []Task{{Name: "a"}, {Name: "b"}}}, Agent: &Agent{Model: Task{Name: "m"}, Approval: &Task{Name: "ask"}}}
	var names []string
	for _, called := range task.Callable() {
		names = append(names, called.Name)
	}
	if got := len(names); got != 4 || names[2] != "ask" || names[3] != "m" {
		t.Errorf("%q", names)
	}
	if task.Callable()[0] != &task.Orchestrator.Tools[0] {
		t.Error("a copy")
	}
}

func TestPriced(t *testing.T) {
	u := ModelUsage{Input: 3_000_000, CachedInput: 1_000_000, Output: 500_000}
	if got := u.Priced(ModelPrice{Input: 2, CachedInput: 0.5, Output: 10}).Cost; got != 9.5 {
		t.Errorf("%g", got)
	}
	if got := u.Priced(ModelPrice{Input: 2}).Cost; got != 6 {
		t.Errorf("%g", got)
	}
	if sum := u.Add(u); sum.Input != 6_000_000 || sum.Output != 1_000_000 || sum.CachedInput != 2_000_000 {
		t.Errorf("%+v", sum)
	}
}
