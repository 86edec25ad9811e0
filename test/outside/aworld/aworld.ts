/** Plays one task with the same scripted voices in AWorld's own team of agents and in our program for its plans, and compares them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finalAnswer } from "../../../notebooks/systems/aworld-deep-search/plan-format.ts";
import { Session } from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";
import { openAiServer, type ServerRequest } from "../../support/openai-server.ts";
import { pythonWith } from "../python-packages.ts";
import { markdownTable } from "../table.ts";
import { SCENES, type Scene, TASK, type Voice } from "./scenes.ts";

/** Its package has the example, and its `mcp` does not load with pydantic 2.14. */
const PACKAGES = { name: "aworld", packages: ["aworld==0.2.8", "pydantic==2.11.10"] };

const PLAY = join(import.meta.dirname, "play_team.py");
const SYSTEM = join(projectRoot, "notebooks/systems/aworld-deep-search");
const PROGRAM = join(SYSTEM, "plan-loop.madrigal");
const PAGE = join(SYSTEM, "PARITY.md");

/** Theirs asks again without an end; ours stops by itself before. */
const CALLS_MAX = 30;

/** The outcome of one scene. */
interface Outcome {
  readonly answer: string;
  /** `succeeded`, `failed`, or `endless` where it had to be stopped. */
  readonly status: string;
  /** Whose voice was asked, in order. */
  readonly asked: readonly Voice[];
}

/** Returns whether each scene comes to what it is said to come to, on both sides; `--write` writes the page. */
export async function runAworld(
  tell: (text: string) => void,
  options: readonly string[] = [],
): Promise<boolean> {
  const python = pythonWith(PACKAGES);
  let wrong = 0;
  for (const scene of SCENES) {
    const theirs = await heard(scene, (url, enough) => playTheirs(python, url, enough));
    const ours = await heard(scene, (url) => playOurs(url));
    if (theirs === scene.theirs && ours === scene.ours) continue;
    wrong += 1;
    tell(`${scene.name}\n  there: ${theirs}\n  here:  ${ours}`);
  }
  tell(parityTable());
  if (options.includes("--write") && wrong === 0) writeFileSync(PAGE, parityPage());
  const agreed = SCENES.filter(({ theirs, ours }) => theirs === ours).length;
  tell(
    `${agreed} scenes agreed, ${SCENES.length - agreed} differ on purpose, ${wrong} not as told`,
  );
  return wrong === 0;
}

function parityTable(): string {
  const rows = SCENES.map(({ name, theirs, ours, reason }) => [
    ...[name, theirs, ours === theirs ? "the same" : ours, reason],
  ]);
  return markdownTable(["the planner says", "AWorld 0.2.8", "Madrigal", "why it differs"], rows);
}

/** The page of the comparison: each line is what the last run has come to. */
export function parityPage(): string {
  return `# Beside the real AWorld

Made by \`npm run outside -- aworld --write\`. The package \`aworld\` 0.2.8 has AWorld's deep research as an example: a planner, its handler of plans,
agents that search and write. They and our \`plan-loop.madrigal\` do one task with the same voices, behind a server on loopback in the place of a model. A line has
whose voice was asked, in order, and what came of it. The package brings no bound for its \`pydantic\`: with 2.14.4 it does not load, with 2.11.10 it does.

${parityTable()}

Not compared: \`aworld\` 0.3.2, the newest, which installs and has no such planner; searches and browsers of AWorld, which need keys and
sandboxes of others; its contexts, of which the part that the documents describe (\`RunnerContext\`) was never in its code.
`;
}

/** One line: what was asked, and what came of it. */
function outcomeText({ answer, status, asked }: Outcome): string {
  if (status === "endless") return "asks again without an end";
  const end = status === "succeeded" ? `answer \`${answer}\`` : "failed";
  return `${asked.join(", ")}: ${end}`;
}

type Play = (
  url: string,
  enough: AbortSignal,
) => Promise<{ readonly answer: string; readonly status: string }>;

/** Plays a scene on a server of its own that answers each voice in order, and again with its last answer. */
export async function heard({ voices }: Scene, play: Play): Promise<string> {
  const asked: Voice[] = [];
  const enough = new AbortController();
  const server = await openAiServer((request) => {
    const voice = voiceOf(request);
    const count = asked.filter((one) => one === voice).length;
    asked.push(voice);
    if (asked.length >= CALLS_MAX) enough.abort();
    return { text: voices[voice].at(Math.min(count, voices[voice].length - 1)) ?? "" };
  });
  try {
    const { answer, status } = await play(server.url, enough.signal);
    return outcomeText({ answer, asked, status: enough.signal.aborted ? "endless" : status });
  } finally {
    await server.close();
  }
}

/** The voice that a request is for: theirs say it in the system message, ours are known by what they are told. */
function voiceOf({ body }: ServerRequest): Voice {
  const text = JSON.stringify(body.messages);
  const named = /VOICE (planner|searcher|reporter)/.exec(text)?.[1];
  if (named !== undefined) return named as Voice;
  if (text.includes("Write a plan as JSON")) return "planner";
  return text.includes("compare") ? "reporter" : "searcher";
}

/** A process without any of our environment, in a fresh home. It is ended when it has asked enough. */
async function playTheirs(python: string, url: string, enough: AbortSignal) {
  const home = mkdtempSync(join(tmpdir(), "madrigal-aworld-"));
  const child = spawn(python, [PLAY, url, TASK], {
    cwd: home,
    env: { PATH: process.env.PATH ?? "", HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const stop = () => child.kill("SIGKILL");
  enough.addEventListener("abort", stop);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await once(child, "close");
  rmSync(home, { recursive: true, force: true });
  const played = /^PLAYED (.*)$/m.exec(text)?.[1];
  if (played === undefined) {
    if (enough.aborted) return { answer: "", status: "endless" };
    throw new Error(`AWorld ended without a result: ${text.slice(-2_000)}`);
  }
  const { answer, success } = JSON.parse(played);
  return { answer: String(answer), status: success === true ? "succeeded" : "failed" };
}

/** Our program, with its models behind that server. */
export async function playOurs(url: string) {
  const home = mkdtempSync(join(tmpdir(), "madrigal-aworld-"));
  const env = {
    MADRIGAL_MODEL: "openai-compatible/stub",
    OPENAI_COMPATIBLE_BASE_URL: url,
    OPENAI_COMPATIBLE_API_KEY: "dummy",
  };
  const session = new Session({ cwd: home, env });
  try {
    const nothing = async () => ({ hits: [] });
    const scope = { docs: { search: nothing, read: nothing }, finalAnswer };
    const { PlanLoop } = session.compile(readFileSync(PROGRAM, "utf8"), { scope });
    const run = PlanLoop?.run({ task: TASK, rounds: 2 });
    const output = (await run?.output.catch(() => undefined)) as { answer?: string } | undefined;
    return { answer: output?.answer ?? "", status: run?.status ?? "" };
  } finally {
    await session.close();
    rmSync(home, { recursive: true, force: true });
  }
}
