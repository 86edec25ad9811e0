/** A run as one file: out of one workspace, into another. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { type DrivenRun, Session } from "../../../runtime/index.ts";
import { errorOf, temporaryFolder } from "./fixtures.ts";

interface Context {
  artifact(options: { kind: "file"; name: string; data: string }): Promise<unknown>;
}

const text = `type Page = { text: string, api_key?: string }
graph Pages() returns pages, more {
  state {
    pages: Page[] = [] via append
    more: boolean = false
  }
  run page = page() writes pages
  human more { ask "more?"; writes more }
  start -> page -> more -> end
}
`;

interface Page {
  readonly text: string;
  readonly api_key?: string;
}

const large: Page = { text: "a page of the book ".repeat(20_000) };

const small: Page = { text: "small" };

/** A run that has written a large value and a file, and waits for a person. */
async function waiting(
  folder: string,
  { value = large, data = "the page" }: { value?: Page; data?: string } = {},
): Promise<{ session: Session; run: DrivenRun }> {
  const session = sessionIn(folder);
  const page = async (context: Context) => {
    await context.artifact({ kind: "file", name: "page.txt", data });
    return [value];
  };
  const { Pages } = session.compile(text, { scope: { page } });
  const run = Pages?.run({}, { thread: "book" }) as unknown as DrivenRun;
  await run.settled();
  expect(run.status).toBe("waiting");
  return { session, run };
}

function sessionIn(folder: string, env: Readonly<Record<string, string>> = {}): Session {
  const session = new Session({ cwd: folder, env: { MADRIGAL_HOME: folder, ...env } });
  onTestFinished(() => session.close().catch(() => {}));
  return session;
}

/** A waiting run, and the file that it was exported to. */
async function exported(of: { value?: Page; data?: string } = {}) {
  const { session, run } = await waiting(temporaryFolder(), of);
  const file = join(temporaryFolder(), "run.madrigal-run");
  const told = session.stored.export(run.id, file);
  return { session, run, file, told };
}

test("a run comes out as one file and in elsewhere as it was, goes on there, and its traces are equal", async () => {
  const { session, run, file, told } = await exported();
  expect(told).toMatchObject({ runId: run.id, hidden: 0, leftOut: [] });
  expect(readdirSync(join(file, ".."))).toEqual(["run.madrigal-run"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const there = sessionIn(temporaryFolder());
  expect(there.stored.import(file)).toBe(run.id);
  expect(there.store.read(run.id)).toEqual(session.store.read(run.id));
  expect(there.store.meta(run.id)).toEqual(session.store.meta(run.id));
  const query = "FROM event_log ORDER BY seq, part";
  expect(await (await there.traces()).query(query)).toEqual(
    await (await session.traces()).query(query),
  );
  // What has run is not called again; that it could be is looked after before a run goes on.
  const again = there.open(run.id, { scope: { page: () => [] } });
  expect(again.state).toEqual(run.state);
  const [made] = again.artifacts;
  expect(new TextDecoder().decode(again.artifact(made?.id ?? ""))).toBe("the page");
  await again.answer("more-1", { kind: "value", value: false });
  expect(await again.output).toEqual({ pages: [large], more: false });
  expect(again.replay().divergence).toBeUndefined();
  expect(session.store.find(run.id).status).toBe("waiting");
});

test("an id that is taken is M5114; a copy gets its own, a replacement takes the place", async () => {
  const { session, run, file } = await exported();
  await run.answer("more-1", { kind: "value", value: false });
  await run.settled();
  expect(await errorOf(() => session.stored.import(file))).toContain("M5114 there is a run");
  const copy = session.stored.import(file, { copy: true, thread: "other" });
  expect(session.store.find(copy)).toMatchObject({ threadId: "other", status: "waiting" });
  const other = session.open(copy);
  await other.answer("more-1", { kind: "value", value: true });
  expect(await other.output).toEqual({ pages: [large], more: true });
  session.stored.import(file, { replace: true });
  expect(session.store.find(run.id).status).toBe("waiting");
});

test("a file that was cut off or changed anywhere is refused, and nothing of it is taken", async () => {
  const { file } = await exported({ value: small });
  const whole = readFileSync(file);
  const damaged = join(temporaryFolder(), "damaged");
  const there = sessionIn(temporaryFolder());
  const place = fc.integer({ min: 0, max: whole.length - 2 });
  await fc.assert(
    fc.asyncProperty(place, fc.integer({ min: 0, max: 8 }), async (at, bit) => {
      const bytes = bit === 8 ? whole.subarray(0, at) : Buffer.from(whole);
      if (bit < 8) bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
      writeFileSync(damaged, bytes);
      // A digit of the version may have become a greater one.
      expect(await errorOf(() => there.stored.import(damaged))).toMatch(/^M511[23] `/);
      expect(there.list()).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("what is no exported run, is of a newer version, or can't be read, is said so", async () => {
  const { session, run, file } = await exported({ value: small });
  const folder = temporaryFolder();
  const other = join(folder, "other");
  writeFileSync(other, '{"format":"madrigal-run","version":2}\n');
  expect(await errorOf(() => session.stored.import(other))).toBe(
    `M5113 \`${other}\` was exported by a newer Madrigal (version 2 of the file, this one knows 1) (update madrigal)`,
  );
  for (const content of ["", "no JSON", "[]", '{"format":"else"}', "null\n"]) {
    writeFileSync(other, content);
    expect(await errorOf(() => session.stored.import(other))).toContain("M5112");
  }
  expect(await errorOf(() => session.stored.import(join(folder, "none")))).toContain("M5116");
  const nowhere = join(file, "below", "a-file");
  expect(await errorOf(() => session.stored.export(run.id, nowhere))).toContain(
    `M5116 \`${nowhere}\` can't be written`,
  );
  expect(readdirSync(folder)).toEqual(["other"]);
});

test("what looks like a secret stays here, unless the file is to be exact", async () => {
  const token = `sk-${"a1B2".repeat(8)}`;
  const value = { api_key: "tomato", text: `use ${token}` };
  const { session, run, file, told } = await exported({ value, data: `the page: ${token}` });
  const [made] = run.artifacts;
  expect(told.hidden).toBeGreaterThan(0);
  expect(told.leftOut).toEqual([made?.hash]);
  const written = readFileSync(file, "utf8");
  expect(written).not.toContain(token);
  expect(written).not.toContain("tomato");
  const there = sessionIn(temporaryFolder());
  there.stored.import(file);
  const again = there.open(run.id);
  expect(again.state).toEqual({
    pages: [{ api_key: { $secret: "api_key" }, text: "use ⟦secret:token⟧" }],
    more: false,
  });
  expect(await errorOf(() => again.artifact(made?.id ?? ""))).toContain("M5332");
  session.stored.export(run.id, file, { exact: true });
  const exact = sessionIn(temporaryFolder());
  exact.stored.import(file);
  expect(exact.open(run.id).state).toEqual({ pages: [value], more: false });
});

test("a secret of the environment that a run is exported from is in no file", async () => {
  const folder = temporaryFolder();
  const { session, run } = await waiting(folder, { value: { text: "my tomato-1234 soup" } });
  await session.close();
  const file = join(folder, "exact");
  sessionIn(folder, { SEARCH_KEY: "tomato-1234" }).stored.export(run.id, file);
  expect(readFileSync(file, "utf8")).toContain("my ⟦secret:SEARCH_KEY⟧ soup");
});

test("E06 a run is deleted by its id, and its thread by its name; one under way is not", async () => {
  const { session, run } = await exported();
  expect(await errorOf(() => session.stored.delete(run.id))).toContain("M5105");
  await run.abort();
  expect(session.stored.copyThread("book", "shelf")).toHaveLength(1);
  expect(session.stored.delete(run.id)).toBe(run.id);
  expect(session.list()).toHaveLength(1);
  for (const { threadId } of session.list()) session.stored.deleteThread(threadId);
  expect(session.list()).toEqual([]);
  expect(await (await session.traces()).query("FROM event_log")).toEqual([]);
});
