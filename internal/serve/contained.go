package serve

import (
	"context"
	"errors"
	"net/http"

	"podium/internal/fault"
)

// contained answers requests. One that fails inside podium takes nothing else down: its reader is
// told that it failed, and whoever started the server why.
func (s *Server) contained(w http.ResponseWriter, r *http.Request) {
	answer := &begun{w, false}
	err := fault.Contain(r.Method+" "+r.URL.Path, func() error { s.route(answer, r); return nil })
	if err == nil {
		return
	}
	s.tell("request", "A request could not be answered.", err)
	if answer.some {
		panic(http.ErrAbortHandler) // closes the connection, so that nobody takes a part for the whole
	}
	clear(w.Header())
	refuse(w, http.StatusInternalServerError, "This page cannot be made now: podium itself failed.")
}

// begun is an answer that knows whether some of it was sent.
type begun struct {
	http.ResponseWriter
	some bool
}

func (b *begun) WriteHeader(code int) {
	b.some = true
	b.ResponseWriter.WriteHeader(code)
}

func (b *begun) Write(p []byte) (int, error) {
	b.some = true
	return b.ResponseWriter.Write(p)
}

// Unwrap is for [http.ResponseController].
func (b *begun) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// again does something until ctx ends, also after it failed inside podium.
func (s *Server) again(ctx context.Context, about, part, what string, do func(ctx context.Context)) {
	for {
		err := fault.Contain(about, func() error { do(ctx); return nil })
		if err == nil {
			return
		}
		s.trouble(ctx, part, what, err)
		if !rest(ctx, looks) {
			return
		}
	}
}

// failed reports whether an error is a failure of podium.
func failed(err error) bool {
	var failure *fault.Error
	return errors.As(err, &failure)
}
