package sandbox

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/outputs"
)

// pagePatience bounds how long the report of a program that failed may take to come
// out of its cell.
const pagePatience = 30 * time.Second

// reportedBy takes the report out of the cell, if the task has one, also of a program
// that failed with why: that is when people look for it. A report that is none, or
// that cannot be kept, fails a run that succeeded.
func (a *attempt) reportedBy(ctx context.Context, c outputs.Getter, why error) error {
	if a.req.Report == nil || errors.Is(why, &api.Error{Code: api.CellLost}) {
		return why
	}
	ctx, cancel := context.WithTimeout(ctx, pagePatience)
	defer cancel()
	err := c.Get(ctx, layout.Outputs, []string{api.ReportFile}, cell.GetLimits{Bytes: api.MaxReport, Files: 1}, func(h *tar.Header, r io.Reader) error {
		if h.Name != api.ReportFile || h.Typeflag != tar.TypeReg {
			return badReport(h)
		}
		return a.req.Report(ctx, r, true)
	})
	switch {
	case why != nil:
		return why
	case errors.Is(err, &api.Error{Code: api.OutputTooLarge}):
		return api.TooLargeReport()
	}
	return err
}

func badReport(h *tar.Header) error {
	got := files.Describe(h.FileInfo().Mode())
	return api.Errorf(api.BadOutput, "the report %s/%s is %s, expected a regular file", layout.Outputs, api.ReportFile, got).
		WithDetails(api.Details{Field: api.ReportFile, Expected: "a regular file", Got: got})
}
