// Command wasm is the program that the pages of a published site run in the
// browser, built for js/wasm only. Each of its files gives the pages one
// function of a room; see register.
package main

// An answer takes a request of the page and gives the reply. Both are texts of
// the room that answers, mostly JSON.
type answer func(request []byte) ([]byte, error)

// answers are the functions that pages may call, by name. Files of this program
// enter theirs by register when the program starts.
var answers = map[string]answer{}

func register(name string, a answer) { answers[name] = a }
