/** A run waits for an approval, its process is killed, another terminal answers, and the run ends. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startNode } from "../../../support/child.ts";
import { document, put, said, workspace } from "../calling.ts";

const program = `import { pack, send } from "./ship.ts"
graph Ship(what: string) returns sent {
  state {
    packed: string
    sent: string
  }
  run pack = pack(what) writes packed
  run send = send(packed) writes sent { approve before }
  start -> pack -> send -> end
}
`;

const functions = `import { appendFileSync } from "node:fs";
const did = (what: string) => appendFileSync(new URL("./did.txt", import.meta.url), what + "\\n");
export const pack = (what: string) => { did("pack"); return "box of " + what; };
export const send = (packed: string) => { did("send"); return "sent " + packed; };
`;

/** As a notebook does: the run waits, and its process stays with it. */
function hostOf(home: string): string {
  const runtime = new URL("../../../../runtime/index.ts", import.meta.url);
  const file = join(home, "ship.madrigal");
  put(
    home,
    "host.ts",
    `import { Session } from "${runtime}";
import * as scope from "./ship.ts";
const session = new Session({ cwd: ${JSON.stringify(home)}, env: {}, name: "notebook" });
const graphs = session.compile(${JSON.stringify(program)}, { file: ${JSON.stringify(file)}, scope });
const run = graphs.Ship.run({ what: "pears" });
await run.output.catch(() => console.log("waits"));
setInterval(() => {}, 1000);
`,
  );
  return join(home, "host.ts");
}

test("A85 A86 M15 [CR] killed while it waits, answered from another terminal: it ends, and nothing is done twice", async () => {
  const home = workspace({ "ship.madrigal": program, "ship.ts": functions });
  const child = startNode([hostOf(home)], { home });
  await child.said("waits");
  const waiting = await document(home, ["show", "last"]);
  expect(waiting.json).toMatchObject({
    status: "waiting",
    owner: expect.stringMatching(/^notebook-/),
  });
  child.signal("SIGKILL");
  await child.ended;
  const left = await document(home, ["show", "last"]);
  expect(left.json).toMatchObject({
    status: "waiting",
    owner: null,
    interrupts: [{ id: "send-1" }],
  });
  expect(await said(home, ["answer", "last", "send-1", "approve"])).toMatchInlineSnapshot(`
    "exit 0
    resumed
    send#1 is told: approve (person)
    send#1 started
    send#1 succeeded TIME

    sent:
    sent box of pears

    node  runs   time  model calls  tool calls  tokens in  tokens out  cost  model  model source
    pack     1 TIME            0           0          0           0    $0  -      -
    send     1 TIME            0           0          0           0    $0  -      -

    run: RUN
    log: HOME/.madrigal/runs.sqlite
    trace: HOME/.madrigal/traces/live-cli.duckdb"
  `);
  expect(readFileSync(join(home, "did.txt"), "utf8")).toBe("pack\nsend\n");
});

test("answered while its process lives, that one goes on, and the terminal says so", async () => {
  const home = workspace({ "ship.madrigal": program, "ship.ts": functions });
  const child = startNode([hostOf(home)], { home });
  await child.said("waits");
  expect(await said(home, ["answer", "last", "send", "approve"])).toMatch(
    /^exit 0\nanswered; notebook-\d+ .* goes on with the run$/,
  );
  await expect
    .poll(async () => (await document(home, ["show", "last"])).json.status, { timeout: 30_000 })
    .toBe("succeeded");
  expect(readFileSync(join(home, "did.txt"), "utf8")).toBe("pack\nsend\n");
  child.signal("SIGKILL");
});
