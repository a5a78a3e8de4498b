package api

// Report is the page of HTML that the program of a run wrote for people, beside its
// outputs. The page is a blob, which lives as long as the run.
type Report struct {
	SHA256 string `json:"sha256" pattern:"^[0-9a-f]{64}$"` // the digest of the page
	Size   int64  `json:"size"`                            // bytes
}

// MaxReport bounds a report, in bytes.
const MaxReport = 8 << 20

// TooLargeReport is the error of a report beyond MaxReport.
func TooLargeReport() *Error {
	return Errorf(OutputTooLarge, "the report is larger than %d bytes", MaxReport).
		WithHint("write less into the report, and return large data as a File").
		WithDetails(Details{Field: ReportFile, Limit: MaxReport})
}

// ReportFile is the output of a cell that is its report, if the task has one.
const ReportFile = "report.html"
