package agent

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// drive makes the calls of a block until it has ended.
func (m *codeMode) drive(ctx context.Context) error {
	state := m.console.State()
	for state.Status() == py.Waiting {
		if len(m.late) > 0 {
			a := m.late[0]
			m.late = m.late[1:]
			if err := m.resume(ctx, a); err != nil {
				return err
			}
			continue
		}
		m.abandon(state.Canceled())
		if again, err := m.beginCalls(ctx); again || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if err := m.await(ctx); err != nil {
			return err
		}
	}
	return nil
}

// await waits for an answer, or until the code wants to continue without one.
func (m *codeMode) await(ctx context.Context) error {
	state, wake := m.console.State(), m.wake()
	if len(m.underway) == 0 && wake.IsZero() {
		return m.answerLost(ctx)
	}
	answer, err := m.calls.wait(ctx, wake)
	if err != nil || answer.ID != 0 {
		return err
	}
	state.Advance(m.world.Reach(answer.Time))
	return state.Resume(ctx)
}

// wake is when the code continues without an answer, or zero.
func (m *codeMode) wake() time.Time {
	at, ok := m.console.State().Timer()
	if !ok {
		return time.Time{}
	}
	return m.req.Caller.Began().Add(at)
}

// answerLost fails the calls of earlier blocks that this one waits for.
func (m *codeMode) answerLost(ctx context.Context) error {
	state := m.console.State()
	var results []py.Result
	for _, c := range state.Calls() {
		results = append(results, py.Raise(c.ID, "RuntimeError", "the call of "+c.Tool+" was given up when its block ended; call it again"))
	}
	return state.Resume(ctx, results...)
}

// beginCalls begins the calls that are new. again says that one was answered at
// once, after which there may be others.
func (m *codeMode) beginCalls(ctx context.Context) (again bool, err error) {
	for _, c := range m.console.State().Calls() {
		if c.ID <= m.begun {
			continue
		}
		m.begun = c.ID
		if again, err := m.beginCall(ctx, c); again || err != nil {
			return again, err
		}
	}
	return false, nil
}

func (m *codeMode) beginCall(ctx context.Context, c py.Call) (atOnce bool, err error) {
	state := m.console.State()
	if c.Tool == finalAnswer {
		m.final = c.Args[0]
		return true, state.Resume(ctx, py.Return(c.ID, nil))
	}
	if result, ok := m.catalog.answer(c); ok {
		return true, state.Resume(ctx, result)
	}
	task := m.tools[c.Tool]
	inputs := make(map[string]any, len(c.Args))
	for i, p := range task.Signature.Inputs {
		inputs[p.Name] = c.Args[i]
	}
	one := made{tool: c.Tool, inputs: textOf(task.Signature.Inputs, inputs)}
	if answer, ok := m.take(one); ok {
		answer.ID = c.ID
		m.made = append(m.made, made{one.tool, one.inputs, answer})
		return true, state.Resume(ctx, orchestrator.Answered(answer))
	}
	m.underway[c.ID], err = m.calls.tool(ctx, c.Tool, inputs, func(ctx context.Context, a api.Answer) error {
		delete(m.underway, c.ID)
		if a.Err == nil {
			m.made = append(m.made, made{one.tool, one.inputs, a})
		}
		a.ID = c.ID
		return m.resume(ctx, a)
	})
	return false, err
}

// resume gives the code an answer. Between two statements of a block that streams
// it keeps it for the next one that waits.
func (m *codeMode) resume(ctx context.Context, a api.Answer) error {
	state := m.console.State()
	if state.Status() != py.Waiting {
		m.late = append(m.late, a)
		return nil
	}
	state.Advance(m.world.Reach(a.Time))
	return state.Resume(ctx, orchestrator.Answered(a))
}

// take returns the answer of an equal call of a block that failed, once.
func (m *codeMode) take(one made) (api.Answer, bool) {
	for i, k := range m.kept {
		if k.tool == one.tool && k.inputs == one.inputs {
			m.kept = append(m.kept[:i:i], m.kept[i+1:]...)
			return k.answer, true
		}
	}
	return api.Answer{}, false
}

// textOf is the JSON of inputs; "" if they have none.
func textOf(params []value.Param, inputs map[string]any) string {
	var all []byte
	for _, p := range params {
		text, err := value.EncodeJSON(p.Type, inputs[p.Name])
		if err != nil {
			return ""
		}
		all = append(append(all, text...), '\n')
	}
	return string(all)
}

// abandon gives up calls that the code does not want any more.
func (m *codeMode) abandon(ids []uint64) {
	m.late = slices.DeleteFunc(m.late, func(a api.Answer) bool { return slices.Contains(ids, a.ID) })
	for _, id := range ids {
		if u, ok := m.underway[id]; ok {
			delete(m.underway, id)
			m.calls.cancel(u)
		}
	}
}

// giveUp gives up the calls that a block did not wait for.
func (m *codeMode) giveUp() {
	for _, id := range slices.Sorted(maps.Keys(m.underway)) {
		m.abandon([]uint64{id})
	}
}
