/** The HTTP server of graphs, as a program sees it that knows its addresses alone. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { served } from "./serving.ts";

test("a run is started, waited for, listed and looked at, and `madrigal runs` has it", async () => {
  const { ask, session } = await served();
  const begun = await ask("/graphs/Shout/runs?wait=30", {
    as: "run",
    body: { input: { text: "la" } },
  });
  expect([begun.status, begun.json.status, begun.json.output]).toEqual([
    201,
    "succeeded",
    { loud: "LA" },
  ]);
  const { run_id: id } = begun.json;
  expect(begun.headers.get("location")).toBe(`/runs/${id}`);
  expect(session.list()[0]?.runId).toBe(id);
  expect((await ask(`/runs/${id}`)).json.output).toEqual({ loud: "LA" });
  expect((await ask("/runs?graph=Shout&status=succeeded")).json.runs).toMatchObject([
    { run_id: id },
  ]);
  expect((await ask("/runs?status=failed")).json.runs).toEqual([]);
  expect((await ask(`/runs/${id}/steps`)).json.steps).toMatchObject([{ step: 1, node: "shout" }]);
  expect((await ask(`/runs/${id}/steps/1`)).json.state).toMatchObject({ loud: "LA" });
  expect((await ask(`/runs/${id}/steps/2`)).json.error.code).toBe("M5107");
  const [artifact] = (await ask(`/runs/${id}/artifacts`)).json.artifacts;
  const bytes = await ask(`/runs/${id}/artifacts/${artifact.id}`);
  expect([bytes.text, bytes.headers.get("content-disposition")]).toEqual([
    "# la",
    "attachment; filename*=UTF-8''score.md",
  ]);
  expect((await ask(`/runs/${id}/drawing`)).text).toContain("<svg");
  expect((await ask(`/runs/${id}/program`)).json.program.name).toBe("Shout");
});

test("pages of the list follow one another, newest first", async () => {
  const { ask, session } = await served();
  for (const text of ["a", "b", "c", "d", "e"])
    await ask("/graphs/Shout/runs?wait=30", { body: { input: { text } } });
  const ids: string[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const more: string = after === "" ? "" : `&after=${after}`;
    const { json } = await ask(`/runs?limit=2${more}`);
    ids.push(...json.runs.map((run) => run.run_id));
    after = json.next;
  }
  expect(ids).toEqual(session.list().map(({ runId }) => runId));
});

test("the same Idempotency-Key is the same run; another request with it is refused", async () => {
  const first = await served();
  const asked = { body: { input: { text: "la" } }, headers: { "idempotency-key": "k-1" } };
  const [one, two] = await Promise.all([
    first.ask("/graphs/Shout/runs", asked),
    first.ask("/graphs/Shout/runs", asked),
  ]);
  expect(one?.json.run_id).toBe(two?.json.run_id);
  const other = await first.ask("/graphs/Shout/runs", {
    ...asked,
    body: { input: { text: "lo" } },
  });
  expect([other.status, other.json.error.code]).toEqual([409, "M7785"]);
  await first.ask(`/runs/${one?.json.run_id}?wait=30`);
});

test("a question is answered exactly once, and the same key again is the same answer", async () => {
  const { ask } = await served();
  const { json: run } = await ask("/graphs/Check/runs?wait=30", {
    body: { input: { what: "it" } },
  });
  expect(run).toMatchObject({ status: "waiting", interrupts: [{ question: "Is it right?" }] });
  const path = `/runs/${run.run_id}/questions/${run.interrupts[0].id}/answer`;
  const unfit = await ask(path, { body: { answer: { kind: "value", value: 7 } } });
  expect([unfit.status, unfit.json.error.code]).toEqual([422, "M5311"]);
  const answers = await Promise.all(
    ["yes", "no"].map((text) => ask(path, { as: "answer", body: { text: `value "${text}"` } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const ended = await ask(`/runs/${run.run_id}?wait=30`);
  expect(ended.json.status).toBe("succeeded");
  expect((await ask(path, { body: { text: "yes" } })).json.error.code).toBe("M5310");

  const { json: next } = await ask("/graphs/Check/runs?wait=30", {
    body: { input: { what: "it" } },
  });
  const same = {
    body: { text: "indeed" },
    headers: { "idempotency-key": "a-1" },
  };
  const url = `/runs/${next.run_id}/questions/${next.interrupts[0].id}/answer?wait=30`;
  const twice = await Promise.all([ask(url, same), ask(url, same)]);
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  expect((await ask(url, same)).json.output).toEqual({ said: "indeed", size: 6 });
});

test("events have ids to go on from, and `end` is the last", async () => {
  const { ask } = await served();
  const { json: run } = await ask("/graphs/Shout/runs?wait=30", {
    body: { input: { text: "la" } },
  });
  const { text } = await ask(`/runs/${run.run_id}/events`);
  const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
  expect(ids[0]).toBe("0.0");
  expect(text.trim().split("\n\n").at(-1)).toBe('event: end\ndata: {"status":"succeeded"}');
  const { text: rest } = await ask(`/runs/${run.run_id}/events`, {
    headers: { "last-event-id": ids[2] ?? "" },
  });
  expect([...rest.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)).toEqual(ids.slice(3));
});

test("a run is steered, cancelled, forked and resumed", async () => {
  const { ask, begun, release } = await served();
  const { json: run } = await ask("/graphs/Hang/runs", { body: { input: {} } });
  await begun;
  expect((await ask(`/runs/${run.run_id}/steer`, { body: { text: "go" } })).status).toBe(200);
  const cancelled = await ask(`/runs/${run.run_id}/cancel`, { body: {} });
  expect(cancelled.json.status).toBe("aborted");
  release();
  const fork = await ask(`/runs/${run.run_id}/fork?wait=30`, { body: { step: 0 } });
  expect([fork.status, fork.json.output]).toEqual([201, { loud: "AT LAST" }]);
  const again = await ask(`/runs/${run.run_id}/resume?wait=30`, { body: {} });
  expect(again.json.output).toEqual({ loud: "AT LAST" });
  const done = await ask(`/runs/${run.run_id}/resume`, { body: {} });
  expect([done.status, done.json.error.code]).toEqual([409, "M5004"]);
  const thread = await ask(`/threads/${run.thread_id}`);
  expect(thread.json.run_list.length).toBeGreaterThan(0);
  expect((await ask("/threads")).json.threads.length).toBeGreaterThan(0);
});

test("an end waits for the step under way, and the next server goes on with the run", async () => {
  const home = mkdtempSync(join(tmpdir(), "madrigal-http-server-"));
  const first = await served({}, home);
  const asked = { body: { input: {} }, headers: { "idempotency-key": "k-1" } };
  const { json: run } = await first.ask("/graphs/Hang/runs", asked);
  await first.begun;
  const closing = first.close();
  first.release();
  await closing;
  const next = await served({}, home);
  const ended = await next.ask(`/runs/${run.run_id}?wait=30`);
  expect(ended.json.output).toEqual({ loud: "AT LAST" });
  // The first step was not taken again: its function would wait for ever.
  expect((await next.ask("/graphs/Hang/runs", asked)).json.run_id).toBe(run.run_id);
});

test("what was changed or refused stands in the audit log, and no token, input or answer does", async () => {
  const { ask, auditPath, close } = await served();
  await ask("/graphs/Shout/runs?wait=30", {
    as: "run",
    body: { input: { text: "a secret text" } },
  });
  await ask("/graphs/Shout/runs", { as: "read", body: { input: { text: "la" } } });
  await close();
  const text = readFileSync(auditPath, "utf8");
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { role: "run", method: "POST", path: "/graphs/Shout/runs", status: 201 },
    { role: "read", method: "POST", status: 403, code: "M7778" },
  ]);
  expect(text).not.toMatch(/secret text|token of/);
});
