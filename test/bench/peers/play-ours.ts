/** Our side of a scene, in a process of its own: `node play-ours.ts SYSTEM FOLDER URL` begins it, or goes on with what a dead one left. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programsBeside } from "../../../kernel/programs/programs-beside.ts";
import { type Interrupt, Session } from "../../../runtime/index.ts";
import { PEER_SCENES } from "./scenes.ts";
import { scopeOf } from "./scope.ts";

const [system = "", folder = "", url = ""] = process.argv.slice(2);
const scene = PEER_SCENES.find((one) => one.system === system);
if (scene === undefined) throw new Error(`there is no scene of ${system}`);

const scope = scopeOf(system, join(folder, "calls.txt"), url);
const env = { MADRIGAL_HOME: folder, OPENAI_COMPATIBLE_BASE_URL: url };
// Skills are looked for beside the program.
const home = join(import.meta.dirname, "../../../notebooks/systems", system);
const session = new Session({ cwd: home, env });
const models = Object.fromEntries(
  (scene.models ?? Object.keys(scene.voices)).map((name) => [name, `openai-compatible/${name}`]),
);
/** A strong agent that was being started when the process died is started again: nobody knows whether it was. */
const answers = ({ kind }: Interrupt) => (kind === "doubt" ? { kind: "approve" } : scene.answer);
// `sync`, as on the other side: each step is on disk before the next one begins.
const options = {
  models,
  user: "someone",
  durability: "sync",
  answers,
} as const;
const [left] = session.list();
let output: Promise<unknown>;
if (left === undefined) {
  const file = join(home, `${system}.madrigal`);
  const text = readFileSync(file, "utf8").replaceAll(/^import .*\.ts"$/gm, "");
  const { open: programs } = programsBeside({ source: { file, text }, path: file });
  const graph = session.compile(text, { file, scope, programs })[scene.graph];
  if (graph === undefined) throw new Error(`${file} has no graph ${scene.graph}`);
  output = graph.run(scene.input as never, options).output;
} else {
  const run = session.open(left.runId, { ...options, scope });
  void run.resume();
  output = run.output;
}
console.log(`output ${JSON.stringify(await output)}`);
await session.close();
