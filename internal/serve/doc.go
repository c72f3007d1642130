// Package serve shows a campaign over HTTP while its runs are done: the published
// site, made again as the journal grows, and the page "live" beside it.
//
// A [Server] has two loops. One looks at the journal often and makes the parts of the live
// page: counts, runs under way, hosts, what went wrong. The other judges the campaign,
// which gives the part with the scores, and writes the pages of the site into a
// directory of its own, as `podium publish` does. Both rest for many times as long as they work,
// since runs are measured meanwhile.
//
// A part is made once for all readers. A [livePage] holds the last text of each part, and a number that grows
// with every change. A reader's stream of events knows the number that it has, and gets the parts
// that are newer: a slow one skips what was replaced meanwhile, so that nothing is kept for it, and one that takes
// nothing for a while is dropped.
//
// The server only reads. A [guard] stands before it: methods, names of hosts, the token, and headers of
// answers. Listener and http.Server bound the number of connections, the size of requests and the
// time that they may take.
package serve
