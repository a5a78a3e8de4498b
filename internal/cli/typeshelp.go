package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// inputExamples are an input of each type, as -i takes it.
var inputExamples = []struct{ input, about string }{
	{"name:str=Ada", "the text as it stands; also without :str"},
	{"count:int=42", "of any length"},
	{"ratio:float=0.5", "also 1e-3, nan and inf"},
	{"fast:bool=true", "or false"},
	{"raw:bytes=abc", "the bytes as they stand"},
	{"at:datetime=2026-01-31T15:04:05+01:00", "ISO 8601, with or without an offset"},
	{"day:date=2026-01-31", "ISO 8601"},
	{"clock:time=15:04:05", "ISO 8601"},
	{"wait:timedelta=1:30:00", "as str(timedelta), or ISO 8601: PT90M"},
	{"price:Decimal=19.90", "keeps its digits"},
	{"key:UUID=6f1c2d34-9a5b-4c7d-8e9f-0a1b2c3d4e5f", ""},
	{"nothing:None=None", ""},
	{"report:File=report.pdf", "the path of a file"},
	{"photos:Dir=photos", "the path of a directory"},
	{"sales:DataFrame=sales.parquet", "the path of a table"},
	{"values:list[float]=[1.0, 2.5]", "JSON, as all below"},
	{`tags:set[str]=["a", "b"]`, "or frozenset"},
	{`prices:dict[str, float]={"tea": 3.5}`, "keys are str, int, bool or date"},
	{`pair:tuple[int, str]=[1, "a"]`, "tuple[int, ...] has any length"},
	{`id:int | str="a1"`, "or Union[int, str]; a text has quotes"},
	{"limit:Optional[int]=null", "or int | None"},
	{`anything:Any={"a": [1, null]}`, "any JSON"},
}

// typesTopic is a page of the help, and no command.
func typesTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString(`How inputs are given, and the types of inputs and outputs.

Forms:
  -i NAME=VALUE         a str; for a deployed task, of the type that it declares
  -i NAME:TYPE=VALUE    of any type
  -i NAME:TYPE=@FILE    what the file holds; @@ begins a value with an @
  -i NAME:TYPE=-        what comes on standard input
  --inputs FILE         a file with a JSON object, a member for each input, or -;
                        -i NAME:TYPE without a value says the type of one
  -o NAME:TYPE          an output
A File or DataFrame of - is standard input as a file. Quotes keep brackets and
spaces from the shell.

Types, with an input of each:
`)
	for _, example := range inputExamples {
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("  %-52s %s", "-i '"+example.input+"'", example.about), " "))
	}
	return &cobra.Command{Use: "types", Short: "How inputs are given, and their types", Long: strings.TrimSuffix(b.String(), "\n")}
}
