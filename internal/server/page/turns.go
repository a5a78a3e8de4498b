package page

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

const (
	turnsPage     = 10       // turns that one page shows
	maxTurnPieces = 50       // of an answer that came in pieces, how many are read
	maxTurnText   = 20 << 10 // bytes that are shown of one message
)

// turnsData is what a run said to its model, and what that answered, turn by turn.
type turnsData struct {
	Run    api.Run
	System string
	Turns  []turn
	Total  int
	Models api.ModelUsage
	Before string // the queries of the windows around this one; empty where there is none
	After  string
}

// turn is one question and its answer.
type turn struct {
	Number   int
	Run      string // that asked the model
	Status   api.Status
	Began    time.Time
	Took     time.Duration
	Said     []said // what is new in the question
	Answer   []passage
	Calls    []toolCall
	Stop     string
	Refused  bool
	Usage    api.ModelUsage
	Error    *api.Error
	pieces   []api.Run
	question api.ModelRequest
}

type said struct {
	Role   string
	Failed bool // of a tool: it says why that failed
	Text   []passage
}

// passage is a part of a text: prose, or a block of code.
type passage struct {
	Code bool
	Text string
}

type toolCall struct{ Name, Arguments string }

// asks returns the names of the tasks by which a task asks its model.
func asks(t *api.Task) (first, rest string) {
	switch {
	case t.Agent != nil:
		return t.Agent.Model.Name, t.Agent.RestName()
	case t.Codegen != nil:
		return t.Codegen.Model.Name, ""
	}
	return "", ""
}

func (p *Page) turns(r *http.Request) (content, error) {
	ctx := r.Context()
	run, err := p.Service.Run(ctx, r.PathValue("id"))
	if err != nil {
		return content{}, err
	}
	task, err := p.Service.RunTask(ctx, run.ID)
	if err != nil {
		return content{}, err
	}
	from := 1
	if text := r.URL.Query().Get("from"); text != "" {
		if from, err = strconv.Atoi(text); err != nil || from < 1 {
			return content{}, api.Errorf(api.RequestInvalid, "from is %q, expected the number of a turn", text).WithDetails(api.Details{Field: "from", Got: text})
		}
	}
	all, err := p.listTurns(ctx, run.ID, task)
	if err != nil {
		return content{}, err
	}
	data := &turnsData{Run: *run, Total: len(all), Models: run.Usage.Models}
	if err := p.readTurns(ctx, data, all, min(from, max(1, len(all)))-1); err != nil {
		return content{}, err
	}
	c := content{Template: "turns", Title: "Turns of " + visible(run.Task), Nav: "runs", Data: data}
	if run.Status != api.StatusInterrupted && !run.Status.Ended() {
		c.Follow = "page/follow/runs/" + run.ID
	}
	return c, nil
}

// listTurns finds the questions of a run among its calls.
func (p *Page) listTurns(ctx context.Context, id string, task *api.Task) ([]turn, error) {
	first, rest := asks(task)
	var turns []turn
	if first == "" {
		return nil, nil
	}
	q := api.RunQuery{Parent: id, Limit: 1000}
	for read := 0; read < maxShownRuns; read += q.Limit {
		list, err := p.Service.Runs(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, run := range list.Runs {
			switch {
			case run.Task == first:
				turns = append(turns, turn{Number: len(turns) + 1, Run: run.ID, Began: run.Created, pieces: []api.Run{run}})
			case run.Task == rest && len(turns) > 0:
				turns[len(turns)-1].pieces = append(turns[len(turns)-1].pieces, run)
			}
		}
		if q.Cursor = list.Next; list.Next == "" {
			break
		}
	}
	for i := range turns {
		turns[i].sum(p.Now())
	}
	return turns, nil
}

// sum adds up what the pieces of an answer took.
func (t *turn) sum(now time.Time) {
	for _, piece := range t.pieces {
		t.Usage = t.Usage.Add(piece.Usage.Models)
		t.Status, t.Error = piece.Status, piece.Error
		t.Took = end(&piece, now).Sub(t.Began)
	}
}

// readTurns fills the window that begins at a place.
func (p *Page) readTurns(ctx context.Context, data *turnsData, all []turn, from int) error {
	to := min(from+turnsPage, len(all))
	known := 0 // messages that the turn before has shown
	if from > 0 {
		if err := p.readQuestion(ctx, &all[from-1]); err != nil {
			return err
		}
		known = len(all[from-1].question.Messages)
		data.Before = "?from=" + strconv.Itoa(max(1, from-turnsPage+1))
	}
	for i := from; i < to; i++ {
		if err := p.readQuestion(ctx, &all[i]); err != nil {
			return err
		}
		all[i].say(known)
		known = len(all[i].question.Messages)
	}
	for i := from; i < to; i++ {
		if err := p.readAnswer(ctx, &all[i]); err != nil {
			return err
		}
	}
	if to > from {
		data.System = shownText(all[from].question.System)
	}
	if to < len(all) {
		data.After = "?from=" + strconv.Itoa(to+1)
	}
	data.Turns = all[from:to]
	return nil
}

// readQuestion reads what a turn asked. One that cannot be read is an empty one.
func (p *Page) readQuestion(ctx context.Context, t *turn) error {
	run, err := p.Service.Run(ctx, t.Run)
	if err != nil {
		return err
	}
	var inputs struct{ Request api.ModelRequest }
	_ = json.Unmarshal(run.Inputs, &inputs)
	t.question = inputs.Request
	return nil
}

// say takes the messages of a question that the turns before have not shown.
func (t *turn) say(known int) {
	messages := t.question.Messages
	if known > len(messages) { // the conversation was made shorter
		known = max(0, len(messages)-1)
	}
	for i, m := range messages[known:] {
		if i == 0 && known > 0 && m.Role == api.RoleAssistant {
			continue // the answer of the turn before
		}
		t.Said = append(t.Said, said{Role: shownText(string(m.Role)), Failed: m.Failed, Text: passages(m.Text)})
	}
}

// readAnswer reads what the model answered, the pieces of it together.
func (p *Page) readAnswer(ctx context.Context, t *turn) error {
	var text strings.Builder
	for i, piece := range t.pieces {
		if i == maxTurnPieces {
			text.WriteString("…")
			break
		}
		run, err := p.Service.Run(ctx, piece.ID)
		if err != nil {
			return err
		}
		var outputs struct{ Answer api.ModelAnswer }
		if len(run.Outputs) == 0 || json.Unmarshal(run.Outputs, &outputs) != nil {
			continue
		}
		a := outputs.Answer
		text.WriteString(a.Text)
		t.Stop = string(a.Stop)
		for _, c := range a.Calls {
			t.Calls = append(t.Calls, toolCall{visible(c.Name), shownText(c.Arguments)})
		}
	}
	t.Answer = passages(text.String())
	t.Refused = t.Stop == string(api.StopRefusal)
	return nil
}

func shownText(text string) string {
	return visible(strings.ToValidUTF8(value.Shorten(text, maxTurnText), "�"))
}

// passages tells the blocks of code of a text, between fences of three backticks,
// from what is around them.
func passages(text string) []passage {
	var all []passage
	var now strings.Builder
	code := false
	flush := func() {
		if part := strings.Trim(now.String(), "\n"); part != "" {
			all = append(all, passage{code, part})
		}
		now.Reset()
	}
	for line := range strings.Lines(shownText(text)) {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "```") {
			flush()
			code = !code
			continue
		}
		now.WriteString(line)
	}
	flush()
	return all
}
