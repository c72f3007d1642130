// Command wasm is the program that the pages of a published site run in the
// browser, built for js/wasm only. Each of its files gives the pages one
// function of a room; see register.
package main
