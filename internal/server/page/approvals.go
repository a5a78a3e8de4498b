package page

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

type approvalsData struct {
	State     api.ApprovalState
	Approvals []approvalRow
	Next      string // the query of the next page
}

type approvalRow struct {
	api.PendingApproval
	Text string // the arguments, shortened
}

// approvals lists what waits for people to decide.
func (p *Page) approvals(r *http.Request) (content, error) {
	query := r.URL.Query()
	q := api.ApprovalQuery{State: api.ApprovalState(query.Get("state")), Task: query.Get("task"), Root: query.Get("root"), Cursor: query.Get("cursor")}
	if q.State == "" {
		q.State = api.ApprovalWaiting
	}
	page, err := p.Service.Approvals(r.Context(), q)
	if err != nil {
		return content{}, err
	}
	data := approvalsData{State: q.State}
	for _, a := range page.Approvals {
		data.Approvals = append(data.Approvals, approvalRow{a, cellText(a.Arguments)})
	}
	if page.Next != "" {
		query.Set("cursor", page.Next)
		data.Next = query.Encode()
	}
	return content{Template: "approvals", Title: "Approvals", Nav: "approvals", Data: data}, nil
}

// approvalData is a question with the form that answers it.
type approvalData struct {
	Asked   *api.PendingApproval
	Facts   []fact
	Given   []field // the arguments as the code gave them
	Changed []field // as a person did
	Fields  []input
	Open    bool // a field has to be looked at
	Reason  string
	By      string
	Key     string // of the decision, so that one that is sent twice is no conflict
	Error   *api.Error
}

// Signal reports whether a value is asked for, rather than a decision.
func (d *approvalData) Signal() bool { return d.Asked.Kind == api.KindSignal }

func (p *Page) approval(r *http.Request) (content, error) {
	asked, err := p.Service.Approval(r.Context(), r.PathValue("id"))
	if err != nil {
		return content{}, err
	}
	return p.question(r, asked, &approvalData{Key: rand.Text()}), nil
}

func (p *Page) question(r *http.Request, asked *api.PendingApproval, data *approvalData) content {
	run := &api.Run{ID: asked.Run}
	data.Asked = asked
	data.Facts = []fact{{"Run", asked.Run, "page/runs/" + asked.Run}}
	if asked.Root != asked.Run {
		data.Facts = append(data.Facts, fact{"Asked by", asked.Asks, "page/runs/" + asked.Root})
	}
	if asked.Parent != "" && asked.Parent != asked.Root {
		data.Facts = append(data.Facts, fact{"Called in", asked.Parent, "page/runs/" + asked.Parent})
	}
	if asked.Signature == nil {
		return content{Template: "approval", Title: asked.Task, Nav: "approvals", Data: data}
	}
	data.Given = fieldsOf(p, r, run, "inputs", asked.Signature.Inputs, asked.Arguments)
	if d := asked.Decision; d != nil && len(d.Arguments) > 0 {
		data.Changed = fieldsOf(p, r, run, "inputs", asked.Answers(), d.Arguments)
		for i := range data.Changed {
			data.Changed[i].Link = ""
		}
	}
	if data.Fields == nil && data.Signal() {
		data.Fields = inputsOf(asked.Answers(), nil)
	} else if data.Fields == nil {
		data.Fields = inputsOf(asked.Answers(), objectOf(asked.Arguments))
	}
	return content{Template: "approval", Title: asked.Task, Nav: "approvals", Data: data}
}

func objectOf(text json.RawMessage) map[string]json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil {
		return nil
	}
	return object
}

// decide approves or refuses as the form says.
func (p *Page) decide(r *http.Request) (string, content, error) {
	id := r.PathValue("id")
	asked, err := p.Service.Approval(r.Context(), id)
	if err != nil {
		return "", content{}, err
	}
	d := api.Decision{
		Reason: strings.TrimSpace(r.PostForm.Get("reason")), By: strings.TrimSpace(r.PostForm.Get("by")), From: api.FromPage, Key: r.PostForm.Get("key"),
	}
	if !p.keys.open {
		d.Identity = "token"
	}
	data := &approvalData{Open: true, Reason: d.Reason, By: d.By, Key: d.Key}
	given, fields, ok := readInputs(r.PostForm, asked.Answers())
	data.Fields = fields
	switch verdict := r.PostForm.Get("verdict"); {
	case r.PostForm.Get("do") != "", verdict == "approve" && !ok: // the form changes, and nothing is decided
		return "", p.question(r, asked, data), nil
	case verdict == "approve":
		d.Approved = true
		if len(fields) > 0 {
			d.Arguments = given.JSON()
		}
	case verdict == "refuse":
	default:
		return "", content{}, api.Errorf(api.RequestInvalid, "the form does not say what was decided").WithDetails(api.Details{Field: "verdict", Expected: "approve or refuse"})
	}
	_, err = p.Service.Decide(r.Context(), id, d)
	var e *api.Error
	if errors.As(err, &e) && (e.Code == api.InvalidInput || e.Code == api.RequestInvalid) {
		data.Error = e
		return "", p.question(r, asked, data), nil
	}
	return url.PathEscape(id), content{}, err
}

// waiting counts what waits for a decision, for the mark in the navigation. A page is
// shown without the mark rather than not at all.
func (p *Page) waiting(r *http.Request) int {
	page, err := p.Service.Approvals(r.Context(), api.ApprovalQuery{Limit: 1})
	if err != nil {
		p.Logger.Warn("counting what waits for a decision", "error", err)
	}
	return page.Waiting
}
