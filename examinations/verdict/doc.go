// Package verdict is what a tool says of a task of SV-COMP (TRUE, FALSE, FALSE(p) or
// nothing), and how that is read from what it printed and how it ended.
//
// Contestants of SV-COMP print what they like. [Rules] say what it means: regular
// expressions on the lines of the two outputs, and exit codes. They are tried in their
// order, and the first one whose conditions all hold gives the answer. The outputs are
// hostile: lines and the whole are cut where they are too long, and Go's regular
// expressions take time in proportion to the text.
package verdict
