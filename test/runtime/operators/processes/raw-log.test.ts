/** The raw log of a strong agent goes to its artifact while it comes: it is never whole in memory. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { scriptedController } from "../../../../runtime/index.ts";
import { projectNode, projectRoot, temporaryFolder } from "../../../support/child.ts";
import { stubbedGraph, stubbedProgram, stubController } from "../stub-runs.ts";

const START = join(projectRoot, "kernel", "startup", "thread.js");
const MB = 1_000_000;

test("A26 a raw log of 100 MB is kept byte for byte by a process with a heap of 64 MB", async () => {
  const home = temporaryFolder("madrigal-agent-flood-");
  const copy = join(home, "copy.txt");
  const set = { STUB_BYTES: String(100 * MB), STUB_COPY: copy };
  const program = `graph Do() returns a {
    state { a: string }
    operator code { controller ${stubController("flood", { set })}; prompt \`Do it.\`; writes a }
    start -> code -> end
  }`;
  const child = new URL("flood-child.ts", import.meta.url).href;
  const small = ["--max-old-space-size=64", "--max-semi-space-size=8"];
  const printed = execFileSync(projectNode, [...small, START, child, home, program], {
    env: { PATH: process.env.PATH ?? "", HOME: home },
    encoding: "utf8",
  });
  const { output, bytes, hash, logged } = JSON.parse(printed);
  const whole = createHash("sha256");
  await pipeline(createReadStream(copy), whole);
  expect(output).toEqual({ a: "done" });
  expect(bytes).toBe(statSync(copy).size);
  expect(hash).toBe(whole.digest("hex"));
  expect(bytes).toBeGreaterThan(100 * MB);
  expect(logged).toBeLessThan(8 * MB);
});

test("A26 what comes with one event and is short stands in the log, what is long beside it", async () => {
  const { graph, session } = stubbedGraph("flood", { set: { STUB_BYTES: "200000" } });
  const run = graph.run({ task: "x" });
  await run.output;
  const pieces = session.store.read(run.id).flatMap((record) => {
    const value = record.kind === "outcome" ? record.value : undefined;
    return typeof value === "object" && value !== null && "raw" in value
      ? (value.raw as readonly { from: number; text?: string; hash?: string; bytes?: number }[])
      : [];
  });
  const lengths = pieces.map(({ text, bytes }) => bytes ?? Buffer.byteLength(text ?? ""));
  expect(pieces.map(({ from }) => from)).toEqual(
    lengths.map((_, at) => lengths.slice(0, at).reduce((sum, one) => sum + one, 0)),
  );
  expect(pieces.filter(({ hash }) => hash !== undefined)).not.toEqual([]);
  expect(pieces.filter(({ text }) => text !== undefined)).not.toEqual([]);
});

test("A26 what an agent has said is let go of while it goes on", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const said: WeakRef<Uint8Array>[] = [];
  let left = Number.POSITIVE_INFINITY;
  const scripted = scriptedController([{ says: "done" }]);
  const { stream } = scripted;
  scripted.stream = async function* (handle) {
    for await (const chunk of stream.call(scripted, handle)) {
      if (chunk.events[0]?.kind === "completed") {
        for (let turn = 0; turn < 40; turn += 1) {
          const raw = new Uint8Array(100_000).fill(120);
          said.push(new WeakRef(raw));
          yield { raw, events: [{ kind: "message_completed", text: `${turn}` }] };
        }
        await new Promise((go) => setImmediate(go));
        collect();
        left = said.filter((one) => one.deref() !== undefined).length;
      }
      yield chunk;
    }
  };
  const { graph } = stubbedProgram(
    `graph Do() returns a { state { a: string } operator code { controller agent; prompt \`Do it.\`; writes a } start -> code -> end }`,
    { scope: { agent: scripted } },
  );
  expect(await graph.run({}).output).toEqual({ a: "done" });
  expect([said.length, left < 5]).toEqual([40, true]);
});
