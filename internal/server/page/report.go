package page

import (
	"io"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// reportFrame sends the report of a run for a frame that can do nothing.
func (p *Page) reportFrame(w http.ResponseWriter, r *http.Request) error {
	from, _, err := p.openReport(r)
	if err != nil {
		return err
	}
	defer from.Close()
	setShown(w.Header(), htmlType)
	if _, err := io.Copy(w, from); err != nil {
		panic(http.ErrAbortHandler) // a page without its end
	}
	return nil
}

// report sends it to be stored.
func (p *Page) report(w http.ResponseWriter, r *http.Request) error {
	from, size, err := p.openReport(r)
	if err != nil {
		return err
	}
	defer from.Close()
	return send(w, r.PathValue("id")+"-"+api.ReportFile, from, size)
}

func (p *Page) openReport(r *http.Request) (io.ReadCloser, int64, error) {
	run, err := p.Service.Run(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, 0, err
	}
	if run.Report == nil {
		return nil, 0, api.Errorf(api.NotFound, "the run has no report")
	}
	return p.Service.OpenBlob(r.Context(), run.Report.SHA256)
}
