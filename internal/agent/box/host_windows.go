package box

// notBelowFile reports whether a name leads through something that is no
// directory, for which Windows says that there is no such file.
func notBelowFile(error) bool { return false }
