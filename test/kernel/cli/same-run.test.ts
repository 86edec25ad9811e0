/** The command, a notebook, the debugger and TypeScript are clients of one API of runs: each leaves the same events. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, startNode } from "../../support/child.ts";
import { madrigal } from "../../support/warm/madrigal.ts";
import { fileOf } from "../notebook/cells.ts";
import { greet, hello, put, workspace } from "./calling.ts";

const input = '{"name": "Ada"}';

/** Starts `Greet` in a workspace, by one of the clients. */
const clients: Readonly<Record<string, (home: string) => Promise<unknown>>> = {
  command: (home) => madrigal(["run", "greet.madrigal", "--input", input], { home }),
  debugger: (home) =>
    madrigal(["debug", "greet.madrigal", "--input", input], { home, stdin: "step\ncontinue\n" }),
  notebook: (home) => {
    put(home, "greet.ipynb", fileOf(`%%graph\n${greet}`, `await Greet.run(${input}).output`));
    return madrigal(["exec", "greet.ipynb"], { home });
  },
  TypeScript: (home) => {
    const index = JSON.stringify(join(projectRoot, "kernel/index.ts"));
    put(
      home,
      "greet.ts",
      `import { readFileSync } from "node:fs";
import { close, compile } from ${index};
import { hello } from "./hello.ts";
const { Greet } = compile(readFileSync("greet.madrigal", "utf8"), { scope: { hello } });
await Greet?.run(${input}).output;
await close();
`,
    );
    return startNode([join(home, "greet.ts")], { home }).ended;
  },
};

/** The events of the only run, in their order, without times and ids. A debugger also holds the run and lets it go. */
async function eventsOf(home: string): Promise<readonly { readonly kind: string }[]> {
  const query = `SELECT kind, step, node, attempt, name, sender, receiver, model, status, payload
    FROM events WHERE kind NOT IN ('run.held', 'run.released') ORDER BY seq, part`;
  const { stdout, stderr } = await madrigal(["sql", query, "--json"], { home });
  expect(stderr).toBe("");
  return JSON.parse(stdout).rows;
}

test("M01 a run from the command, the debugger, a notebook and TypeScript leaves equal events", async () => {
  const events = new Map<string, unknown>();
  for (const [client, start] of Object.entries(clients)) {
    const home = workspace({ "hello.ts": hello, "greet.madrigal": greet });
    await start(home);
    events.set(client, await eventsOf(home));
  }
  expect(events.get("command")).toContainEqual(
    expect.objectContaining({ kind: "run.finished", status: "succeeded" }),
  );
  for (const client of Object.keys(clients))
    expect({ client, rows: events.get(client) }).toEqual({ client, rows: events.get("command") });
});
