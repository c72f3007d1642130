package guest

// The paths in the initial file system of a guest; package image puts the files
// there.
const (
	ModulesDir  = "/modules"       // kernel modules
	ModulesList = "/modules/order" // their names, one a line, in the order of loading
	BaseDir     = "/base"          // the programs that tools see, unless a disk brings them
)

// User is the number of the user and of the group that a tool runs as in a
// guest.
const User = 1000
