package campaign

import (
	"testing"
	"time"
)

// TestUnderWay: of the runs that were begun and have no end, those are under way whose
// worker holds the lease that they were begun under. More are seen when the log is
// updated.
func TestUnderWay(t *testing.T) {
	c := small(t)
	me := somebody(t, thisNode())
	lease, mine, err := c.claim("Ring", 0, me)
	if err != nil || !mine {
		t.Fatal(mine, err)
	}
	started := func(run Run, lease int64) Record {
		return Record{Started: &Started{Run: run, Attempt: 2, Lease: lease, At: time.Unix(50, 0).UTC()}}
	}
	now, lost, ended := Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}, Run{Tool: "bee", Instance: "Ring-PT-1", Exam: "StateSpace"}, Run{Tool: "ant", Instance: "Ring-PT-2", Exam: "StateSpace"}
	write(t, c, me.Worker, firstRecord(c, me.Worker, me.Node), started(now, lease.Number), started(ended, lease.Number), end(ended, 1, lease.Number))
	write(t, c, "gone", firstRecord(c, "gone", me.Node), started(lost, lease.Number))
	log, err := c.ReadEnds(t.Context())
	must(t, err)
	list, err := log.UnderWay()
	must(t, err)
	want := UnderWay{now, 2, me.Worker, me.Host, time.Unix(50, 0).UTC()}
	if len(list) != 1 || list[0] != want {
		t.Errorf("%+v is under way, want %+v", list, want)
	}
	if n := log.Stopped(func(Run) bool { return true }); n != 0 {
		t.Errorf("%d runs were stopped while their worker holds the lease", n)
	}
	must(t, c.release(lease))
	if list, err = log.UnderWay(); err != nil || len(list) > 0 {
		t.Errorf("after the lease was given back: %+v, %v", list, err)
	}
	if n := log.Stopped(func(Run) bool { return true }); n != 1 { // the other one's worker never held the lease
		t.Errorf("%d runs were stopped in order, want 1", n)
	}
	write(t, c, "other", firstRecord(c, "other", me.Node), end(now, 1, lease.Number))
	must(t, log.Update(t.Context()))
	if len(log.Finished) != 2 || len(log.Doubt) != 1 {
		t.Errorf("%d runs have ended, %d are in doubt", len(log.Finished), len(log.Doubt))
	}
}
