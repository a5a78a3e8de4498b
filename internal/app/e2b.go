package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/compat/e2b"
)

// e2bServer answers the SDKs of E2B with the sessions of the home.
func (a *App) e2bServer() (*e2b.Face, error) {
	key, err := a.Home.SessionKey()
	if err != nil {
		return nil, err
	}
	templates, err := a.e2bTemplates()
	if err != nil {
		return nil, err
	}
	service := a.Service()
	return e2b.New(e2b.Config{
		Sessions: a.everywhere, Images: service, Blobs: service, Templates: templates, Key: key, Logger: a.logger,
	})
}

// e2bTemplates is the file of the templates that clients built here. Those of nodes are
// in one directory, so that none of them removes blobs that another one needs.
func (a *App) e2bTemplates() (string, error) {
	name, err := a.Home.Name()
	if err != nil {
		return "", err
	}
	path, before := filepath.Join(a.Home.Templates(), name+".json"), a.Home.Below(e2bTemplatesBefore)
	err = os.MkdirAll(a.Home.Templates(), 0o700)
	if err == nil {
		err = os.Rename(before, path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", api.Errorf(api.Internal, "move the templates of E2B's clients from %s to %s: %w", before, path, err)
	}
	return path, nil
}

// e2bTemplatesBefore is the file where they were before nodes had theirs side by side.
const e2bTemplatesBefore = "server/e2b-templates.json"
