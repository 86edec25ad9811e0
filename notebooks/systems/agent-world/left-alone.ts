/** The process that somebody kills: it runs `Build`, whose coder does two of five things and waits then; it says when that is so. */
import { readFileSync } from "node:fs";
import { compile } from "madrigal";
import { recorded, saying } from "./wires.ts";
import * as workshop from "./workshop.ts";

const [home = "."] = process.argv.slice(2);
const file = new URL("./agent-world.madrigal", import.meta.url);
const { Build } = compile(readFileSync(file, "utf8"), { scope: workshop });
if (Build === undefined) throw new Error("no graph called Build");
const graph = Build.withAgents({
  plan: saying("codex", home, ["do five things"]),
  code: recorded("claude_code", home, "paced", { STUB_HALT: "2" }),
  review: saying("codex", home, { isAccepted: true, findings: [] }),
});
const run = graph.run({ task: "Do five things." }, { durability: "sync" });
let calls = 0;
run.events$.subscribe((event) => {
  if (event.kind !== "controller.event" || event.event.kind !== "tool_result") return;
  calls += 1;
  if (calls === 2) console.log("two things are done");
});
await run.output;
