/** Eko as somebody uses it: what its runs and agents are at each moment, and a step that waits for a letter. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMail } from "../../notebooks/systems/eko/mail.ts";
import { checker, planner, talker, worker } from "../../notebooks/systems/eko/rules.ts";
import { Session } from "../../runtime/index.ts";
import { exitCode, workspace } from "../kernel/cli/calling.ts";
import { projectRoot } from "../support/child.ts";
import { madrigal } from "../support/warm/madrigal.ts";

const program = readFileSync(join(projectRoot, "notebooks/systems/eko/eko.madrigal"), "utf8");

/** A run by the rules of the notebook, whose plan is confirmed; a third letter comes when it is delivered. */
function started() {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  onTestFinished(() => session.close());
  const { mail, deliver } = createMail({ Ghent: "A lamp costs 30.", Bruges: "A lamp costs 25." });
  const { Eko } = session.compile(program.replace(/^import .*$/m, ""), { scope: { mail } });
  if (Eko === undefined) throw new Error("no graph");
  const models = { talker, planner, worker, checker };
  const options = { models, answers: { confirm: true } };
  const run = Eko.run({ task: "Which lamp is cheaper?" }, options as never);
  const ended: string[] = [];
  const isLeft = Promise.withResolvers<void>();
  run.events$.subscribe((event) => {
    if (event.kind !== "attempt.finished") return;
    const { node = "", path = [] } = event as typeof event & { readonly path?: readonly string[] };
    if (path.length > 0) ended.push(node);
    if (ended.filter((node) => node === "prices").length === 2) isLeft.resolve();
  });
  const statuses = async () => {
    const traces = await session.traces();
    const rows = await traces.query(
      `SELECT node, status, count(*) AS times FROM node_runs WHERE run_id = '${run.id}' AND graph_path <> ''
       GROUP BY node, status ORDER BY node`,
    );
    return rows.map((row) => Object.values(row).join(" "));
  };
  return { run, deliver, ended, statuses, untilLeft: isLeft.promise };
}

test("E09 E73 a step waits for a letter while the others work; SQL has the status of each agent before and behind it", async () => {
  const { run, deliver, ended, statuses, untilLeft } = started();
  await untilLeft;
  expect(await statuses()).toEqual([
    "go/list succeeded 1",
    "go/prices succeeded 2",
    "go/wait running 1",
  ]);
  expect(ended).not.toContain("wait");
  deliver("Mechlin", "A lamp costs 20.");
  const output = (await run.output) as { readonly results: Readonly<Record<string, unknown>> };
  expect(output.results.wait).toBe("A lamp costs 20.");
  expect(await statuses()).toEqual([
    "go/list succeeded 1",
    "go/prices succeeded 2",
    "go/say succeeded 1",
    "go/say.Checked/doubt succeeded 1",
    "go/wait succeeded 1",
  ]);
});

const STATES = `graph States(way: string) returns said {
  state { said: string = "" }

  human ask_it { ask \`Go on?\`; writes said }
  run fall = fall(way) writes said

  start -> { way == "fall" -> fall, way == "ask" -> ask_it, else -> end }
  ask_it | fall -> end
}
`;

test("E10 each status that `madrigal runs` can show is one of a closed set, and a person brings a run into each", async () => {
  const home = workspace({
    "states.madrigal": `import { fall } from "./states.ts"\n\n${STATES}`,
    "states.ts": "export function fall(way: string): string {\n  throw new Error(way);\n}\n",
  });
  const run = async (way: string, ...more: readonly string[]) =>
    exitCode(
      await madrigal(["run", "states.madrigal", "--input", JSON.stringify({ way }), ...more], {
        home,
      }),
    );
  const shown = async () => {
    const { stdout } = await madrigal(["runs", "--json"], { home });
    const found: { readonly runs: readonly { readonly status: string }[] } = JSON.parse(stdout);
    return found.runs.map(({ status }) => status);
  };
  expect([await run("end"), await run("fall"), await run("ask")]).toEqual([0, 1, 3]);
  expect(await shown()).toEqual(["waiting", "failed", "succeeded"]);
  await madrigal(["abort", "last"], { home });
  expect(await shown()).toEqual(["aborted", "failed", "succeeded"]);
  expect(await run("ask")).toBe(3);
  await madrigal(["answer", "last", "all", "yes"], { home });
  expect(await shown()).toEqual(["succeeded", "aborted", "failed", "succeeded"]);
});
