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
		Sessions: a.everywhere, Images: service, Blobs: service, Templates: a.e2bTemplates(), Key: key, Logger: a.logger,
	})
}

// e2bTemplates is the file of the templates that clients built.
func (a *App) e2bTemplates() string { return a.Home.Below("server/e2b-templates.json") }
