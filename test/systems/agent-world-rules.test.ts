/** The requirements of AgentWorld's document on messages, states, sessions and failures, as a user of its programs sees them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { agents } from "../../notebooks/systems/agent-world/by-rule.ts";
import * as workshop from "../../notebooks/systems/agent-world/workshop.ts";
import { type Graph, type Run, Session, scriptedController } from "../../runtime/index.ts";
import { projectRoot } from "../support/child.ts";

const file = join(projectRoot, "notebooks/systems/agent-world/agent-world.madrigal");
const program = readFileSync(file, "utf8");

let session: Session;
beforeEach(() => {
  session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  onTestFinished(() => session.close());
});

/** A graph of the program, or of the program as somebody has changed it. */
function compiled(name: string, change = (text: string) => text): Graph {
  const graph = session.compile(change(program), { file, scope: { ...workshop } })[name];
  if (graph === undefined) throw new Error(`no graph is called ${name}`);
  return graph;
}

type Script = Parameters<typeof scriptedController>[0];
/** In the place of the controllers: Claude Code plays this script, Codex another one, or answers by rule. */
const playing = (claude: Script, codex?: Script) => {
  const made = scriptedController(claude);
  const other = codex === undefined ? agents.codex() : scriptedController(codex);
  return { claude_code: () => made, codex: () => other };
};

/** The rows of a query over the run. */
async function rowsOf(run: Run, query: string): Promise<readonly unknown[]> {
  const traces = await session.traces();
  return await traces.query(query.replace("RUN", `'${run.id}'`));
}

async function ended(run: Run): Promise<Run> {
  await run.output.catch(() => {});
  return run;
}

test("A51 A55 A57 each message is a row: who told whom what as what, which file goes with it, and what it answers", async () => {
  const run = await ended(
    compiled("Report").run({ task: "What is a madrigal?" }, { scope: agents }),
  );
  const rows = await rowsOf(
    run,
    `SELECT m.sender || ' -> ' || m.recipient AS way, m.kind, m.status, a.sender AS answers,
       list_transform(m.artifacts::VARCHAR[], one -> split_part(one, '@', 1)) AS files
     FROM messages m LEFT JOIN messages a ON a.run_id = m.run_id AND a.message_id = m.reply_to
     WHERE m.run_id = RUN ORDER BY m.seq, m.recipient`,
  );
  const message = (way: string, kind: string, answers: string | null, ...files: string[]) => ({
    ...{ way, kind, status: "read", answers, files },
  });
  expect(rows).toEqual([
    message("research -> criticize", "observation", null, "facts-1.json"),
    message("research -> write", "observation", null, "facts-1.json"),
    message("criticize -> research", "handoff", "research"),
    message("research -> criticize", "observation", "criticize", "facts-2.json"),
    message("research -> write", "observation", null, "facts-2.json"),
    message("criticize -> write", "handoff", null),
  ]);
});

test("A54 who is told is not started: without a handoff the writer never runs, and its message is dead", async () => {
  const run = await ended(compiled("Report").run({ task: "What is a quark?" }, { scope: agents }));
  expect(run.state).toMatchObject({ text: "Nothing is known of it." });
  expect(run.steps.map(({ node }) => node)).toEqual(["research", "criticize"]);
  const rows = await rowsOf(
    run,
    "SELECT recipient, status FROM messages WHERE run_id = RUN ORDER BY recipient",
  );
  expect(rows).toEqual([
    { recipient: "criticize", status: "read" },
    { recipient: "write", status: "dead" },
  ]);
});

test("A56 what is told to nobody in particular goes to whoever follows, what is told to a node stays for it", async () => {
  const told = (text: string) => text.replace(/tell +review as artifact/, "tell * as artifact");
  const run = await ended(compiled("Build", told).run({ task: "a leaflet" }, { scope: agents }));
  const rows = await rowsOf(
    run,
    "SELECT sender, read_by FROM messages WHERE run_id = RUN AND status = 'read' ORDER BY seq LIMIT 3",
  );
  expect(rows).toEqual([
    { sender: "plan", read_by: "code" },
    { sender: "code", read_by: "inspect" },
    { sender: "review", read_by: "code" },
  ]);
});

test("A59 A47 the coder reads each message once, and has the first ones in the session that it goes on with", async () => {
  const run = await ended(compiled("Build").run({ task: "a leaflet" }, { scope: agents }));
  const { turns } = run.session("code");
  const inboxes = turns.map(({ items }) =>
    items.flatMap((item) => (item.kind === "instruction" ? [item.text] : [])).join(),
  );
  expect(inboxes.map((text) => text.includes("check that it is whole"))).toEqual([true, false]);
  expect(inboxes.map((text) => text.includes("it names no place"))).toEqual([false, true]);
  expect(new Set(turns.flatMap(({ sessionIds }) => sessionIds)).size).toBe(1);
});

test("A43 A41 a reviewer is shown what it reads, and nothing else of the state", async () => {
  const codex = agents.codex();
  const before = codex.requests.length;
  await ended(compiled("Build").run({ task: "a leaflet" }, { scope: agents }));
  const [request] = codex.requests.slice(before).filter(({ operator }) => operator === "review");
  expect(Object.keys(request?.stateView ?? {})).toEqual(["text", "faults"]);
  expect(request).toMatchObject({
    role: "accepts it, or says what is wrong",
    inbox: [{ kind: "artifact", sender: "code" }],
    writes: { review: { type: "object" } },
    session: "new",
  });
});

test("A46 what an agent would write into a field of another node is refused, and never written", async () => {
  const scope = playing([{ patch: { steps: ["mine"] }, says: "on Sunday at the library" }]);
  const run = await ended(compiled("Build").run({ task: "a leaflet" }, { scope }));
  expect(run.state.steps).toEqual(["write it", "check that it is whole"]);
  expect([run.status, run.failure?.class]).toEqual(["failed", "invalid"]);
  expect(run.failure?.message).toContain("steps");
});

test("A83 parallel workers really work at the same time: none of three ends before all have begun", async () => {
  let begun = 0;
  const all = Promise.withResolvers<void>();
  const scope = playing(() => {
    begun += 1;
    if (begun === 3) all.resolve();
    return { steps: [{ until: all.promise }], says: "done" };
  });
  const run = compiled("Split").run({ task: "A line for: Ghent, Bruges, Aalst" }, { scope });
  expect(await run.output).toEqual({
    text: "Ghent: done\nBruges: done\nAalst: done",
    missed: [],
  });
});

test("A87 A91 a coder that fails is tried once more; then the run ends with its error, and what was done stays", async () => {
  const busy = { fails: { class: "transport", reason: "busy", message: "overloaded" } } as const;
  const run = await ended(compiled("Build").run({ task: "a leaflet" }, { scope: playing([busy]) }));
  expect([run.status, run.failure?.class, run.failure?.message]).toEqual([
    "failed",
    "transport",
    expect.stringContaining("overloaded"),
  ]);
  expect(run.steps.map(({ node }) => node)).toEqual(["plan"]);
  const rows = await rowsOf(
    run,
    "SELECT attempts FROM node_runs WHERE run_id = RUN AND node = 'code'",
  );
  expect(rows).toEqual([{ attempts: 2 }]);
});

test("A92 a critic who is never content ends at the limit of its run, which says so", async () => {
  const asks = [{ handoffs: [{ to: "research", task: "more" }] }];
  const scope = playing([{ says: [] }], asks);
  const run = await ended(compiled("Report").run({ task: "What is a madrigal?" }, { scope }));
  expect([run.status, run.reason]).toEqual(["failed", "limit:steps"]);
  expect(run.steps).toHaveLength(20);
});

test("A22 A23 the prompt of each attempt is kept, and how the attempt ended", async () => {
  const busy = { fails: { class: "transport", reason: "busy", message: "overloaded" } } as const;
  const scope = playing([busy, { says: "On Sunday at the library." }]);
  const run = await ended(compiled("Build").run({ task: "a leaflet" }, { scope }));
  const told = run
    .session("code")
    .items.map((item) => [item.kind, "text" in item ? item.text : ""]);
  const prompt = expect.stringMatching(/^Do this .*: a leaflet\n.*check that it is whole/s);
  expect(told).toEqual([
    ["instruction", prompt],
    ["error", expect.stringContaining("overloaded")],
    ["instruction", prompt],
    ["text", "On Sunday at the library."],
  ]);
});

test("A93 A122 what agents have made is an index: name, kind, type, size, how many items, and who made it", async () => {
  const run = await ended(
    compiled("Report").run({ task: "What is a madrigal?" }, { scope: agents }),
  );
  const rows = await rowsOf(
    run,
    "SELECT name, kind, mime, items, node, bytes > 0 AS has_bytes FROM artifacts WHERE run_id = RUN ORDER BY seq",
  );
  const made = { kind: "search", mime: "application/json", node: "research", has_bytes: true };
  expect(rows).toEqual([
    { ...made, name: "facts-1.json", items: 1 },
    { ...made, name: "facts-2.json", items: 2 },
  ]);
});
