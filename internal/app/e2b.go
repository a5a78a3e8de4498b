package app

import "github.com/glovebox-dev/glovebox/internal/compat/e2b"

// e2bServer answers the SDKs of E2B with the sessions of the home.
func (a *App) e2bServer() (*e2b.Face, error) {
	key, err := a.Home.SessionKey()
	if err != nil {
		return nil, err
	}
	service := a.Service()
	return e2b.New(e2b.Config{
		Sessions: a.sessions, Images: service, Blobs: service, Templates: a.Home.Below("server/e2b-templates.json"), Key: key, Logger: a.logger,
	})
}

// sessionKey is the key of what is saved of sessions. A home that is only read
// makes none, and resumes nothing.
func (a *App) sessionKey() ([]byte, error) {
	if a.unwritable != nil {
		return nil, nil
	}
	return a.Home.SessionKey()
}
