// Package stripped finds tools that know instances by their names (T-5). A tool runs on
// instances and on copies of them with other names, other ids and another order, which
// ask the same; its answers on the copies are translated back. A tool that computes
// gives the same values and takes about as long.
package stripped
