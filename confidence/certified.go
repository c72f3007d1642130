package confidence

// CertifiedFunc gives the reference of a value from the elected one and the
// answer that a referee has proved, which is None where nothing is proved.
type CertifiedFunc func(elected Reference, proved Answer) Reference

// Overrides is the [CertifiedFunc] that replaces the elected answer by the
// proved one, also where nothing was elected.
func Overrides(elected Reference, proved Answer) Reference {
	if proved == None {
		return elected
	}
	return Reference{proved, FromReferee}
}
