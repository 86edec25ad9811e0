/** Runs that only their owner knows: asked of it, on this machine, with its token. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Session, scripted } from "../../../../runtime/index.ts";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { failedRun, searchRun, sourceOf } from "../sample.ts";
import { contents, newFolder, traced } from "../store.ts";

/** An owner that was too busy once is left alone for some seconds. */
const patience = { timeout: 40_000 };

const child = join(import.meta.dirname, "child.ts");

test("another process's run is seen while it runs, as far as it is; when that process is dead, no more", async () => {
  const folder = newFolder();
  const owner = spawn(process.execPath, [child, folder, "serve", "10"]);
  onTestFinished(() => void owner.kill("SIGKILL"));
  await once(owner.stdout, "data");
  const file = join(folder, "live-kernel.endpoint.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const traces = await traced(sourceOf([failedRun("r2")]), folder);
  expect(traces.file).toBe(join(folder, "live-kernel-2.duckdb"));
  const open = sourceOf([searchRun("r1"), failedRun("r2")]);
  open.show("r1", 10);
  await expect
    .poll(
      async () => (await traces.query("FROM live_owners SELECT owner, runs, answers"))[0],
      patience,
    )
    .toEqual({ owner: "live-kernel", runs: 1, answers: true });
  const fresh = await traced(open, newFolder());
  const derived = async (of: typeof traces) => {
    const { events, runs } = await contents(of);
    return { events, runs };
  };
  expect(await derived(traces)).toEqual(await derived(fresh));
  // Its log is to be had now: the own rows count, and nothing is there twice.
  await traces.ingest(open);
  expect(await derived(traces)).toEqual(await derived(fresh));
  owner.kill("SIGKILL");
  await once(owner, "exit");
  expect(await traces.query("FROM live_owners")).toEqual([]);
  expect(existsSync(file)).toBe(false);
}, 60_000);

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly host?: string;
}

/** Status and body of a request, with no header but those named. */
async function ask(port: number, of: Asked): Promise<readonly [number | undefined, unknown]> {
  const { path = "/query", method = "POST", headers = {}, body, host = "127.0.0.1" } = of;
  const sent = request({ host, port, path, method, headers });
  sent.end(body ?? JSON.stringify({ sql: "SELECT run_id FROM runs" }));
  const [response] = await once(sent, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  expect(response.headers["access-control-allow-origin"]).toBeUndefined();
  return [response.statusCode, JSON.parse(text)];
}

test("it answers one SELECT to who has the token and is on this machine, and nobody else", async () => {
  const folder = newFolder();
  const traces = await openTraces(folder, "kernel");
  onTestFinished(() => traces.close());
  const source = sourceOf([searchRun("r1")]);
  source.show("r1", 10);
  await traces.serve(async () => void (await traces.ingest(source)));
  await traces.ingest(source);
  const address = JSON.parse(readFileSync(join(folder, "live-kernel.endpoint.json"), "utf8"));
  const { port, token } = address;
  const allowed = { authorization: `Bearer ${token}` };
  const query = (sql: string) => ask(port, { headers: allowed, body: JSON.stringify({ sql }) });
  expect(await ask(port, { headers: allowed })).toEqual([
    200,
    { rows: [{ run_id: "r1" }], cut: false },
  ]);
  expect(await ask(port, { path: "/live", headers: allowed, body: "{}" })).toEqual([
    200,
    { runs: [["r1", 10, null]] },
  ]);
  const refused: readonly (readonly [number, Asked])[] = [
    [401, {}],
    [401, { headers: { authorization: "Bearer " } }],
    [401, { headers: { authorization: `Bearer ${token.slice(0, -1)}x` } }],
    [401, { path: "/rows", body: '{"runs":["r1"]}' }],
    [403, { headers: { ...allowed, host: "evil.example:80" } }],
    [403, { headers: { ...allowed, origin: "http://localhost:8888" } }],
    [405, { headers: allowed, method: "PUT" }],
    [404, { headers: allowed, path: "/etc/passwd" }],
    [404, { headers: allowed, body: "{}" }],
    [400, { headers: allowed, body: "no JSON" }],
    [413, { headers: allowed, body: JSON.stringify({ sql: "x".repeat(2_000_000) }) }],
  ];
  for (const [status, of] of refused) expect([of, (await ask(port, of))[0]]).toEqual([of, status]);
  for (const sql of [
    "DROP VIEW runs",
    "SELECT 1; SELECT 2",
    "SELECT * FROM read_text('/etc/passwd')",
  ]) {
    const [status, body] = await query(sql);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(/M541[45]/);
  }
  const [outside] = Object.values(networkInterfaces())
    .flat()
    .filter((of) => of?.internal === false);
  if (outside !== undefined) {
    await expect(ask(port, { headers: allowed, host: outside.address })).rejects.toThrow();
  }
});

const text = `graph Slow returns n {
  state { n: int = 0 }
  run wait = held() writes n
  start -> wait -> end
}`;

test("a session that drives a run in memory alone serves it to other processes", async () => {
  const home = newFolder();
  const env = { MADRIGAL_HOME: home };
  const [owner, other] = [
    new Session({ env, name: "kernel" }),
    new Session({ env, name: "other" }),
  ];
  onTestFinished(() => other.close());
  let release = () => {};
  const gate = new Promise<number>((resolve) => {
    release = () => resolve(1);
  });
  const graph = owner.compile(text, { scope: { held: () => gate } }).Slow;
  const run = graph?.run({}, { store: "memory", models: { m: scripted([]) } });
  await owner.traces();
  const seen = async () =>
    (await (await other.traces()).query("SELECT graph, status FROM runs ORDER BY graph"))[0];
  await expect.poll(seen, patience).toEqual({ graph: "Slow", status: "running" });
  release();
  await run?.output;
  await owner.close();
  expect(await seen()).toEqual({ graph: "Slow", status: "succeeded" });
}, 60_000);
