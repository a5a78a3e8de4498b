package monty

// version5 is what pydantic-monty 1.0 speaks.
var version5 = version{number: 5}
