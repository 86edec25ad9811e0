/** Plays one task with the same scripted voices in Magentic-UI's own orchestrator and in the library's `Magentic`, and compares them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session, tool } from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";
import { openAiServer, type ServerRequest } from "../../support/openai-server.ts";
import { pythonWith } from "../python-packages.ts";
import { markdownTable } from "../table.ts";
import { type Entry, type Planned, SCENES, type Scene, TASK, type Voice } from "./scenes.ts";

/** The last version that has the orchestrator. */
const PACKAGES = { name: "magentic", packages: ["magentic-ui==0.1.6"] };

const PLAY = join(import.meta.dirname, "play_team.py");
const PROGRAM = join(projectRoot, "runtime/library/magentic.madrigal");
const PAGE = join(projectRoot, "notebooks/systems/magentic/PARITY.md");

/** A scene that asks more often is stopped. */
const CALLS_MAX = 40;

/** The outcome of one scene; `waiting` where the person has nothing more to say. */
interface Ended {
  readonly answer: string;
  readonly status: string;
}

/** Returns whether each scene comes to what it is said to come to, on both sides; `--write` writes the page. */
export async function runMagentic(
  tell: (text: string) => void,
  options: readonly string[] = [],
): Promise<boolean> {
  const python = pythonWith(PACKAGES);
  let wrong = 0;
  for (const scene of SCENES) {
    const theirs = await heardFrom(scene, "theirs", (server) => playTheirs(python, scene, server));
    const ours = await heardFrom(scene, "ours", (server) => playOurs(scene, server));
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
  const rows = SCENES.map(({ rows: ids, name, theirs, ours, reason }) => [
    ...[ids, name, theirs, ours === theirs ? "the same" : ours, reason],
  ]);
  return markdownTable(["rows", "scene", "Magentic-UI 0.1.6", "Madrigal", "why it differs"], rows);
}

/** The page of the comparison: each line is what the last run has come to. */
export function parityPage(): string {
  return `# Beside the real Magentic-UI

Made by \`npm run outside -- magentic --write\`. The package \`magentic-ui\` 0.1.6 is the last one with the orchestrator that the documents describe (0.2 has one
agent instead). It installs and imports without Docker. Its own orchestrator and the library's \`Magentic\` do one task with the same plans, entries of the ledger and
words, behind a server on loopback in the place of a model. A line has whose voice was asked, in order, and what came of it.

${parityTable()}

Not compared: its agents, which need Docker (code, browser) or a display; members of the same names say what the script says. Its pages and its database.
`;
}

/** The answers of the server on one side, and the voices that were asked. */
export interface Stage {
  readonly url: string;
  /** Returns what the person says now. */
  readonly askPerson: () => string;
  readonly enough: AbortSignal;
}

type Side = "theirs" | "ours";

/** Plays a scene on a server of its own that answers each voice in order, and again with its last answer. */
export async function heardFrom(
  scene: Scene,
  side: Side,
  play: (stage: Stage) => Promise<Ended>,
): Promise<string> {
  const asked: Voice[] = [];
  const enough = new AbortController();
  const said = answersOf(scene, side);
  const next = (voice: Voice): string => {
    const count = asked.filter((one) => one === voice).length;
    asked.push(voice);
    if (asked.length >= CALLS_MAX) enough.abort();
    const own = said[voice];
    // Only the person falls silent.
    return own[voice === "person" ? count : Math.min(count, own.length - 1)] ?? SILENT;
  };
  const server = await openAiServer((request) => ({ text: next(voiceOf(request, side)) }));
  try {
    const askPerson = () => next("person");
    const { answer, status } = await play({ url: server.url, askPerson, enough: enough.signal });
    return outcomeText(asked, answer, enough.signal.aborted ? "endless" : status);
  } finally {
    await server.close();
  }
}

const SILENT = "NOTHING";

function outcomeText(asked: readonly Voice[], answer: string, status: string): string {
  if (status === "endless") return "asks again without an end";
  const ends: Readonly<Record<string, string>> = { waiting: "waits", failed: "failed" };
  return `${asked.join(", ")}: ${ends[status] ?? `answer \`${answer}\``}`;
}

/** The same words in the form of each side. */
function answersOf(
  { planner, ledger, person }: Scene,
  side: Side,
): Readonly<Record<Voice, readonly string[]>> {
  const write = side === "theirs" ? theirForm : ourForm;
  return {
    planner: planner.map((one) => ("text" in one ? one.text : JSON.stringify(write.plan(one)))),
    ledger: ledger.map((one) => ("text" in one ? one.text : JSON.stringify(write.entry(one)))),
    person,
    web_surfer: ["both are red"],
    coder_agent: ["2"],
    file_surfer: ["a file"],
    finish: ["tulips"],
  };
}

type PlanOrAnswer = Exclude<Planned, { readonly text: string }>;
type LedgerEntry = Exclude<Entry, { readonly text: string }>;

const NAMES: Readonly<Record<string, string>> = { user: "user_proxy", nobody: "no_action_agent" };
const named = (agent: string): string => NAMES[agent] ?? agent;

const theirForm = {
  plan: (one: PlanOrAnswer): object => ({
    response: "answer" in one ? one.answer : "",
    task: TASK,
    plan_summary: "a plan",
    needs_plan: "steps" in one,
    steps: ("steps" in one ? one.steps : []).map(({ id, agent, times }) => ({
      title: id,
      details: `do ${id}`,
      agent_name: named(agent),
      ...(times === undefined
        ? { step_type: "PlanStep" }
        : { step_type: "SentinelPlanStep", condition: times, sleep_duration: 0 }),
    })),
  }),
  entry: ({ next, isDone = false, replan = false }: LedgerEntry): object => ({
    is_current_step_complete: { reason: "so", answer: isDone },
    need_to_replan: { reason: "so", answer: replan },
    instruction_or_question: { answer: "go on", agent_name: named(next) },
    progress_summary: "",
  }),
};

const ourForm = {
  plan: (one: PlanOrAnswer): object => ({
    kind: "answer" in one ? "answer" : "plan",
    response: "answer" in one ? one.answer : "",
    source: "none",
    summary: "a plan",
    steps: ("steps" in one ? one.steps : []).map(({ id, agent, times }) => ({
      ...{ id, title: id, details: `do ${id}`, agent },
      ...(times === undefined ? {} : { repeat: `${times} times` }),
    })),
  }),
  entry: ({ next, isDone = false, replan = false }: LedgerEntry): object => ({
    ...{ isDone, needsReplan: replan, reason: "so", progress: "", instruction: "go on", next },
  }),
};

/** The words by which a prompt is known for that of one voice. */
const OUR_MARKS: readonly (readonly [RegExp, Voice])[] = [
  [/Decide what the task needs/, "planner"],
  [/We are at step \d+ of/, "ledger"],
  [/It ended because/, "finish"],
];
const THEIR_MARKS: readonly (readonly [RegExp, Voice])[] = [
  [/is_current_step_complete/, "ledger"],
  [/needs_plan/, "planner"],
];

function voiceOf({ body: { messages } }: ServerRequest, side: Side): Voice {
  const text = JSON.stringify(messages);
  if (side === "theirs") {
    const member = /VOICE (\w+)/.exec(text)?.[1];
    if (member !== undefined) return member === "user_proxy" ? "person" : (member as Voice);
    // Plans and ledgers of before stand in what it is told, too.
    const last = JSON.stringify(messages.slice(-2));
    return THEIR_MARKS.find(([mark]) => mark.test(last))?.[1] ?? "finish";
  }
  const member = /Instruction for (web_surfer|coder_agent|file_surfer): /.exec(text)?.[1];
  return (
    OUR_MARKS.find(([mark]) => mark.test(text))?.[1] ?? (member as Voice | undefined) ?? "finish"
  );
}

/** A process without any of our environment, in a fresh home. It is ended when it has asked enough. */
async function playTheirs(
  python: string,
  { settings }: Scene,
  { url, enough }: Stage,
): Promise<Ended> {
  const home = mkdtempSync(join(tmpdir(), "madrigal-magentic-"));
  const config = {
    cooperative_planning: settings.cooperative ?? true,
    ...(settings.replansMax === undefined ? {} : { max_replans: settings.replansMax }),
    ...(settings.roundsMax === undefined ? {} : { max_turns: settings.roundsMax }),
  };
  const child = spawn(python, [PLAY, url, TASK, JSON.stringify(config)], {
    cwd: home,
    env: { PATH: process.env.PATH ?? "", HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = () => child.kill("SIGKILL");
  enough.addEventListener("abort", stop);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  await once(child, "close");
  rmSync(home, { recursive: true, force: true });
  const played = /^PLAYED (.*)$/m.exec(text)?.[1];
  if (played !== undefined) return JSON.parse(played);
  if (enough.aborted) return { answer: "", status: "endless" };
  throw new Error(`Magentic-UI ended without a result: ${text.slice(-2_000)}`);
}

const nothing = tool(() => "nothing", {
  effect: "none",
  description: "does nothing",
  input: { type: "object" },
});
const scope = {
  browser: { visit: nothing },
  web: { search: nothing, read: nothing },
  code: { run: nothing },
  folder: { open: nothing, list: nothing, find: nothing, grep: nothing },
};

/** Our program, with its models behind that server. */
export async function playOurs({ settings }: Scene, { url, askPerson }: Stage): Promise<Ended> {
  const home = mkdtempSync(join(tmpdir(), "madrigal-magentic-"));
  const env = {
    MADRIGAL_MODEL: "openai-compatible/stub",
    OPENAI_COMPATIBLE_BASE_URL: url,
    OPENAI_COMPATIBLE_API_KEY: "dummy",
  };
  const session = new Session({ cwd: home, env });
  try {
    const { Magentic } = session.compile(readFileSync(PROGRAM, "utf8"), { file: PROGRAM, scope });
    const answers = () => {
      const word = askPerson();
      return word === SILENT ? undefined : ({ kind: "value", value: word } as const);
    };
    const run = Magentic?.run({ task: TASK, ...settings }, { answers });
    const output = (await run?.output.catch(() => undefined)) as { answer?: string } | undefined;
    return { answer: output?.answer ?? "", status: run?.status ?? "" };
  } finally {
    await session.close();
    rmSync(home, { recursive: true, force: true });
  }
}
