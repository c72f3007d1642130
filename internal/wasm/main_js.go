package main

import (
	"fmt"
	"syscall/js"

	"podium/internal/fault"
)

// main gives the page the function podium(name, request), where request is a
// Uint8Array. It returns {reply: Uint8Array} or {error: string} and never throws.
func main() {
	js.Global().Set("podium", js.FuncOf(func(_ js.Value, args []js.Value) any {
		reply, err := call(args)
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		bytes := js.Global().Get("Uint8Array").New(len(reply))
		js.CopyBytesToJS(bytes, reply)
		return map[string]any{"reply": bytes}
	}))
	select {} // the page calls until it is closed
}

func call(args []js.Value) (reply []byte, err error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("podium takes a name and a request, not %d arguments", len(args))
	}
	a, known := answers[args[0].String()]
	if !known {
		return nil, fmt.Errorf("podium answers no %q", args[0].String())
	}
	request := make([]byte, args[1].Get("length").Int())
	js.CopyBytesToGo(request, args[1])
	return reply, fault.Contain(args[0].String(), func() (err error) {
		reply, err = a(request)
		return err
	})
}
