package servicetest

import "github.com/glovebox-dev/glovebox/api"

// notifications: a run that has ended tells the receivers of its task and its own,
// page by page, and can be asked to do so again.
func notifications(s *suite) {
	task := *orchestrator("n * 2", "n: int", "int")
	task.Name = "told"
	task.Notify = []api.Notify{{URL: "https://a.example/x", Secret: "key"}}
	s.deploy(api.Deployment{Tasks: []api.Task{task}})
	own := []api.Notify{{URL: "http://127.0.0.1:9/y?z=1", Secret: "key", Events: []api.NotifyEvent{api.NotifySucceeded, api.NotifyFailed}}}
	run, err := s.service.Submit(s.Context(), api.Submission{Name: "told", Inputs: map[string]any{"n": 2}, Notify: own})
	s.must(err)
	_, err = s.service.Wait(s.Context(), run.ID)
	s.must(err)
	var list []api.Delivery
	q := api.DeliveryQuery{Run: run.ID, State: api.DeliveryWaiting, Limit: 1}
	for pages := 0; pages == 0 || q.Cursor != ""; pages++ {
		page, err := s.service.Deliveries(s.Context(), q)
		s.must(err)
		list, q.Cursor = append(list, page.Deliveries...), page.Next
	}
	if len(list) != 2 || list[0].URL != own[0].URL || list[1].URL != task.Notify[0].URL {
		s.Fatalf("got %+v", list)
	}
	if d := list[0]; d.Run != run.ID || d.Task != "told" || d.Event != api.NotifySucceeded || d.Secret != "key" || d.Attempts != 0 || d.Created.IsZero() || !d.Next.Equal(d.Created) {
		s.Errorf("got %+v", d)
	}
	again, err := s.service.Redeliver(s.Context(), list[0].ID)
	s.must(err)
	if again.ID != list[0].ID || again.State != api.DeliveryWaiting || !again.Next.After(list[0].Next) {
		s.Errorf("asked for again: %+v", again)
	}
	_, err = s.service.Redeliver(s.Context(), "none")
	s.wantCode(err, api.NotFound)
	_, err = s.service.Submit(s.Context(), api.Submission{Name: "told", Inputs: map[string]any{"n": 2}, Notify: []api.Notify{{URL: "https://user@a.example", Secret: "key"}}})
	s.wantCode(err, api.InvalidTask)
	wrong := task
	wrong.Notify = []api.Notify{{URL: "https://a.example"}}
	_, err = s.service.Deploy(s.Context(), api.Deployment{Tasks: []api.Task{wrong}})
	s.wantCode(err, api.InvalidTask)
	page, err := s.service.Runs(s.Context(), api.RunQuery{Trigger: "hook:none"})
	s.must(err)
	if len(page.Runs) != 0 {
		s.Errorf("started by a hook that is not there: %+v", page.Runs)
	}
}
