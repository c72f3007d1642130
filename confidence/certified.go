package confidence

// CertifiedFunc makes the reference of a value out of the elected one and of what
// a referee has proved, None where it has not.
type CertifiedFunc func(elected Reference, proved Answer) Reference

// Overrides puts a proved answer in the place of the elected one, also where
// nothing was elected. It is a [CertifiedFunc].
func Overrides(elected Reference, proved Answer) Reference {
	if proved == None {
		return elected
	}
	return Reference{proved, FromReferee}
}
