package guest

// Where things are in the initial file system of a guest; package image puts
// them there.
const (
	ModulesDir  = "/modules"       // kernel modules
	ModulesList = "/modules/order" // their names, one a line, in the order of loading
	BaseDir     = "/base"          // the programs that tools see, unless a disk brings them
)

// User is who a tool is in a guest, as user and as group.
const User = 1000
