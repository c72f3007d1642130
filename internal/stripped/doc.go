// Package stripped finds tools that know instances by their names (T-5). A tool runs on
// instances and on copies of them that ask the same; its answers on the copies are
// translated back. Copies are of two kinds: some differ in names and ids alone, which
// cannot matter to a tool that computes; some are in another order, too, which may.
//
// What differs is held against chance: were an instance nothing but one more copy to the
// tool, each of them would be as likely as the others to have the most answers.
package stripped
