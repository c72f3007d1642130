// Package explain says in words, for people and for JSON, where a result comes from: the points of
// a run ([Run]), the reference of a value ([Value]), and the doubts about references ([Warnings]).
// What it says is read from the result; nothing is judged here.
package explain
