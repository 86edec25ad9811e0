/** Explanations of the error codes M7776 to M7786: the HTTP server of graphs and its clients. */
import type { CodePage } from "../page.ts";

export const kernelServer = {
  M7776: {
    title: "the file of tokens can't be taken",
    why: "`madrigal serve` makes a file with a token for each role that only its owner may read. A file that others can read, a link, or one without a token for each role is refused: whoever reads it may do all that the server can.",
  },
  M7777: {
    title: "the server wants a token",
    why: "Each request but `/health` carries `Authorization: Bearer TOKEN`, with one of the tokens of the file that `madrigal serve` names at its start. The page of the server is opened with `?token=TOKEN` once.",
  },
  M7778: {
    title: "the role may not do this",
    why: "`read` looks, `run` also starts and moves runs, `answer` also answers their questions, and `admin` may do all. Who starts runs does not answer their questions, so that an approval comes from somebody else.",
  },
  M7779: {
    title: "the request comes from elsewhere",
    why: "The server answers by the names of this machine, and by those that `--public` gives it; a page of another site may not ask it, and a cookie alone changes nothing. Otherwise a page that somebody opens could act with the rights of whoever opens it.",
  },
  M7780: {
    title: "the server has too much to do",
    why: "Each role has so many requests a second (`--rate`), and there is a most of runs under way and of streams. `Retry-After` says when to ask again.",
  },
  M7781: {
    title: "the body is too large, or did not come whole",
    why: "A body has at most 4 MiB and comes within 30 seconds. Larger data are better named in the input, and read by a tool.",
  },
  M7782: {
    title: "the request is not as the server describes it",
    why: "`/openapi.json` has the schema of each body and query. A member that nobody knows is a mistake, too: a misspelt filter would else do nothing.",
  },
  M7783: {
    title: "there is nothing at this address",
    why: "`/openapi.json` lists what there is, with the method of each; a graph is named as in its program.",
  },
  M7784: {
    title: "the server is ending",
    why: "It got a signal and takes nothing new. Runs under way go on with the next start of the server.",
  },
  M7785: {
    title: "an Idempotency-Key stood for another request",
    why: "The same key is the same request: what is asked with it once more must be what was asked before. A new request has a new key.",
  },
  M7786: {
    title: "the server can't be reached",
    why: "`connect(url)` found no server of `madrigal serve` at the address, or lost it. A run goes on without its client: `open(id)` finds it again.",
  },
} as const satisfies Record<`M7${number}`, CodePage>;
