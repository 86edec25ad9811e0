/** `madrigal answer RUN QUESTION edit`: a plan under review is edited in the person's own editor. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectNode } from "../../../support/child.ts";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, put, said, workspace } from "../calling.ts";

const program = `model m = "rules"
graph Team(given: Plan) returns plan {
  state { plan: Plan = given  isRight: boolean = false  results: Json }
  agent reader(step: Step) { model m; prompt \`\${step.title}\` }
  agent writer(step: Step) { model m; prompt \`\${step.title}\` }
  human review { ask "Is this plan right?"; edits plan; writes isRight }
  graph go = planGraph(plan) writes results
  start -> review -> { false -> go -> end, else -> end }
}
`;

const given = {
  task: "Compare",
  steps: [
    { id: "look", title: "Look", details: "at the price", agent: "reader" },
    { id: "ask", title: "Ask", details: "the shop", agent: "reader", depends: ["look"] },
    { id: "say", title: "Say it", details: "in one line", agent: "writer", depends: ["look"] },
  ],
};

/** A run that waits for its plan, and the environment of an editor, which has what it is shown in `seen-N.yaml`. */
async function reviewed(edit: string) {
  const home = workspace({ "team.madrigal": program });
  put(
    home,
    "editor.mjs",
    `import { existsSync, readFileSync, writeFileSync } from "node:fs";
const file = process.argv.at(-1);
const text = readFileSync(file, "utf8");
let turn = 1;
while (existsSync("seen-" + turn + ".yaml")) turn += 1;
writeFileSync("seen-" + turn + ".yaml", text);
const edit = (${edit});
writeFileSync(file, edit(text, turn));
`,
  );
  const input = JSON.stringify({ given });
  const begun = await madrigal(["run", "team.madrigal", "--input", input], { home });
  expect(begun.stdout).toMatch(/madrigal answer \w+ review-0 edit {2}# in \$EDITOR/);
  // A text that is kept goes with the folder of the test.
  const editor = `'${projectNode}' '${join(home, "editor.mjs")}'`;
  const env = { VISUAL: "", EDITOR: editor, TMPDIR: home };
  const seen = (turn: number) => readFileSync(join(home, `seen-${turn}.yaml`), "utf8");
  return { home, env, seen };
}

const DROP = `text.replace(/ {2}- id: ask\\n( {4}.*\\n)+?(?= {2}- )/, "").replace("in one line", "in two lines")`;

test("steps are dropped and their texts changed, and the run goes on with that plan", async () => {
  const { home, env, seen } = await reviewed(`(text) => ${DROP}`);
  expect(await said(home, ["answer", "last", "review", "edit"], { env })).toMatch(/^exit 3\n/);
  expect(seen(1)).toMatchInlineSnapshot(`
    "# review asks: Is this plan right?
    # Save the value as it is to be, as YAML or JSON, and close the editor. Unchanged or empty, nothing is answered.
    # Move the lines of a step to do it earlier or later, delete them to drop it; \`depends\` lists the ids of the steps that it waits for.
    # A step is for one of these (agent, tool): reader, writer
    task: Compare
    steps:
      - id: look
        title: Look
        details: at the price
        agent: reader
      - id: ask
        title: Ask
        details: the shop
        agent: reader
        depends:
          - look
      - id: say
        title: Say it
        details: in one line
        agent: writer
        depends:
          - look
    "
  `);
  // The person is shown the plan as it is now, and says yes to that.
  const { exit, json } = await document(home, ["answer", "last", "review", "yes"]);
  const [look, , say] = given.steps;
  const plan = { ...given, steps: [look, { ...say, details: "in two lines" }] };
  expect([exit, json.output]).toEqual([0, { plan }]);
});

test("what is wrong with the plan stands at its top when it is edited again, as the table of a notebook says it", async () => {
  const { home, env, seen } = await reviewed(
    `(text, turn) => turn === 1 ? text.replace("writer", "poet").replace("agent: writer", "agent: poet") : text.replace("agent: poet", "agent: reader")`,
  );
  expect(await said(home, ["answer", "last", "review", "edit"], { env })).toMatch(/^exit 3\n/);
  expect(seen(2).split("\n")[0]).toMatchInlineSnapshot(
    `"# M5036: step \`say\` is for \`poet\`, and \`Team\` has no such agent; its agents: reader, writer"`,
  );
  const { json } = await document(home, ["show", "last"]);
  expect(JSON.stringify(json.interrupts)).not.toContain("poet");
});

test.each([
  ["nothing is changed", `(text) => text`, "2", "nothing was changed, so nothing is answered"],
  ["everything is deleted", `() => ""`, "2", "nothing was changed, so nothing is answered"],
  [
    "it is no YAML, twice",
    `(text, turn) => turn === 1 ? text + "\\n: : [" : text`,
    "2",
    "the edited text is no answer",
  ],
  ["the editor fails", `() => process.exit(3)`, "2", "ended with 3"],
])("the question stays open where %s", async (_, edit, exit, message) => {
  const { home, env } = await reviewed(edit);
  const told = await said(home, ["answer", "last", "review", "edit"], { env });
  expect(told).toMatch(new RegExp(`^exit ${exit}\\n! error\\[M7104\\]: .*${message}`));
  const { json } = await document(home, ["show", "last"]);
  expect(json).toMatchObject({ status: "waiting", interrupts: [{ id: "review-0" }] });
});

test("without an editor the value is typed", async () => {
  const { home } = await reviewed(`(text) => text`);
  const env = { VISUAL: "", EDITOR: "" };
  expect(await said(home, ["answer", "last", "review", "edit"], { env })).toMatchInlineSnapshot(`
    "exit 2
    ! error[M7104]: \`edit\` alone opens an editor, and no variable names one
    !   hint: \`export EDITOR=nano\`, or type the value: edit JSON"
  `);
});
