package denied

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

func (s Service) Hooks(context.Context) ([]api.Hook, error) { return nil, s.Refuse("list hooks") }

func (s Service) Hook(context.Context, string) (*api.Hook, error) {
	return nil, s.Refuse("see hooks")
}

func (s Service) RemoveHook(context.Context, string) error { return s.Refuse("remove hooks") }

func (s Service) PauseHook(context.Context, string) (*api.Hook, error) {
	return nil, s.Refuse("pause hooks")
}

func (s Service) ResumeHook(context.Context, string) (*api.Hook, error) {
	return nil, s.Refuse("resume hooks")
}
