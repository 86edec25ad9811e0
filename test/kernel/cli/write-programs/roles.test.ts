/** `madrigal roles`: what each node is told, reads and writes. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { document, said, workspace } from "../calling.ts";

const program = readFileSync(
  new URL("../../../dsl/programs/4-state-routing.madrigal", import.meta.url),
  "utf8",
);

test("S27 the role table of the state-routing design, from its program", async () => {
  const home = workspace({ "routing.madrigal": program });
  expect(await said(home, ["roles", "routing.madrigal"])).toMatchInlineSnapshot(`
    "exit 0
    graph StateRouting
    role     kind    reads                       writes                                        prompt
    boss     router  plan, current_step, status  -                                             Find the next open step and pick the role best suited to it.
    actor    agent   current_step, plan          observation (append), current_step (replace)  Carry out step \${current_step} of \${plan} with one tool cal…
    planner  agent   description, goal, rules    plan (replace)                                Task: \${description}. Goal: \${goal}. Rules: \${rules}. Write…
    analyst  agent   goal, observation           status (replace), errors (append)             Goal: \${goal}. Observations: \${observation}. What is the st…
    the result does not depend on which node finishes first"
  `);
});

test("S27 the same table as JSON, with whole prompts", async () => {
  const home = workspace({ "routing.madrigal": program });
  const { json } = await document(home, ["roles", "routing.madrigal"]);
  expect(json).toMatchObject({
    version: 1,
    graphs: [
      {
        name: "StateRouting",
        order_sensitive: [],
        roles: [
          {
            role: "boss",
            kind: "router",
            description: "the manager: decides who works next",
            prompt: "Find the next open step and pick the role best suited to it.",
            reads: ["plan", "current_step", "status"],
            writes: [],
          },
          { role: "actor", writes: [{ field: "observation", mode: "append" }, {}] },
          { role: "planner", writes: [{ field: "plan", mode: "replace", optional: false }] },
          { role: "analyst", reads: ["goal", "observation"] },
        ],
      },
    ],
  });
});

test("contract: a file without a graph gives one document, which says so", async () => {
  const home = workspace({ "empty.madrigal": "type A = int\n" });
  expect(await document(home, ["roles", "empty.madrigal"])).toMatchObject({
    exit: 1,
    json: { version: 1, error: { code: "M7203" } },
  });
});
