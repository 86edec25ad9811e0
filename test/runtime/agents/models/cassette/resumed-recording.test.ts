/** A run that is recorded goes on being recorded by whoever resumes or answers it, in another process too. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Graph, type RunOptions, Session, scripted } from "../../../../../runtime/index.ts";

const TEXT = `model m = "scripted"
graph Ask() returns said {
  state {
    said: string[] = [] via append
    ok: boolean = false
  }
  defaults { model m; history none }
  agent first { system "Tell."; prompt \`Tell.\`; writes said }
  agent same { system "Tell."; prompt \`Tell.\`; writes said }
  human check { ask \`Go on?\`; writes ok }
  agent later { system "Tell."; prompt \`Tell.\`; writes said }
  agent last { system "Sum up."; prompt \`Sum up \${said}.\`; writes said }
  start -> first -> same -> check -> later -> last -> end
}`;

/** A workspace on disk, which one session after the other opens: as two processes do. */
function workspace() {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-recording-"));
  const sessions: Session[] = [];
  onTestFinished(async () => {
    for (const session of sessions) await session.close();
    rmSync(folder, { recursive: true });
  });
  const open = () => {
    const session = new Session({ cwd: folder, env: { MADRIGAL_HOME: folder } });
    sessions.push(session);
    const { Ask } = session.compile(TEXT);
    return { session, graph: Ask as Graph };
  };
  return { open, file: join(folder, "tapes", "ask.jsonl") };
}

const said = (...texts: readonly string[]) => ({ m: scripted([...texts]) });

function numbersIn(file: string) {
  const calls = readFileSync(file, "utf8").trim().split("\n");
  return calls.map((line) => {
    const { n, parts } = JSON.parse(line);
    return [n, JSON.stringify(parts).match(/one|two|three|four|old/)?.[0]];
  });
}

async function ended(run: { readonly output: Promise<unknown> }) {
  return await run.output.catch((thrown: Error) => thrown.message);
}

async function beginsAndGoesOn(record: string, { open }: ReturnType<typeof workspace>) {
  const first = open();
  const run = first.graph.run({}, { models: said("one", "two"), record });
  await run.settled();
  expect(run.status).toBe("waiting");
  await first.session.close();
  const { session } = open();
  const again = session.open(run.id, { models: said("three", "four") });
  const [asked] = again.interrupts;
  await again.answer(asked?.id ?? "", { kind: "value", value: true });
  return await again.output;
}

test("the answers behind the resume are in the cassette, equal requests behind those of before", async () => {
  const place = workspace();
  const output = await beginsAndGoesOn("tapes/ask.jsonl", place);
  expect(numbersIn(place.file)).toEqual([
    [0, "one"],
    [1, "two"],
    [2, "three"],
    [0, "four"],
  ]);
  const { graph } = place.open();
  const replayed: RunOptions = {
    models: { m: `cassette:${place.file}` },
    answers: { check: true },
  };
  expect(await graph.run({}, replayed).output).toEqual(output);
});

test("what an earlier run recorded is replaced, not gone on behind", async () => {
  const place = workspace();
  const { graph } = place.open();
  const earlier = { models: said("old", "old", "old", "old"), record: place.file };
  await ended(graph.run({}, { ...earlier, answers: { check: true } }));
  const output = await beginsAndGoesOn(place.file, place);
  const replayed: RunOptions = {
    models: { m: `cassette:${place.file}` },
    answers: { check: true },
  };
  expect(await graph.run({}, replayed).output).toEqual(output);
  expect(JSON.stringify(output)).not.toContain("old");
});

test("a run that goes to another machine does not take the path with it", async () => {
  const place = workspace();
  const { graph, session } = place.open();
  const run = graph.run({}, { models: said("one", "two"), record: place.file });
  await run.settled();
  expect(session.store.meta(run.id).record).toBe(place.file);
  const file = `${place.file}.madrigal-run`;
  session.stored.export(run.id, file);
  const copy = session.stored.import(file, { copy: true });
  expect(session.store.meta(copy).record).toBeUndefined();
  await run.abort();
});
