/** Lists what is said in each scene, and what comes of it in Magentic-UI and here. */

/** Whom the server speaks for. */
export type Voice =
  | "planner"
  | "ledger"
  | "person"
  | "web_surfer"
  | "coder_agent"
  | "file_surfer"
  | "finish";

export interface PlannedStep {
  readonly id: string;
  readonly agent: string;
  /** Looks so many times. */
  readonly times?: number;
}

/** An answer of the planner: a plan, a direct answer, or a text as it is. */
export type Planned =
  | { readonly steps: readonly PlannedStep[] }
  | { readonly answer: string }
  | { readonly text: string };

/** An entry of the ledger, or a text as it is. */
export type Entry =
  | { readonly next: string; readonly isDone?: boolean; readonly replan?: boolean }
  | { readonly text: string };

/** Settings that both have. */
export interface Settings {
  readonly cooperative?: boolean;
  readonly replansMax?: number;
  readonly roundsMax?: number;
}

export interface Scene {
  readonly rows: string;
  readonly name: string;
  readonly settings: Settings;
  readonly planner: readonly Planned[];
  readonly ledger: readonly Entry[];
  /** The person's answers in order; after the last one the person is silent. */
  readonly person: readonly string[];
  readonly theirs: string;
  readonly ours: string;
  /** Why the two differ. */
  readonly reason: string;
}

export const TASK = "tulips or roses?";

type Said = Partial<Pick<Scene, "settings" | "planner" | "ledger" | "person" | "ours" | "reason">>;

function scene(
  rows: string,
  name: string,
  theirs: string,
  { settings = {}, planner, ledger = [], person = [], ours = theirs, reason = "" }: Said,
): Scene {
  const plan = planner ?? [{ steps: [LOOK] }];
  return { rows, name, settings, planner: plan, ledger, person, theirs, ours, reason };
}

const LOOK = { id: "look", agent: "web_surfer" };
const SUM = { id: "sum", agent: "coder_agent" };
const both = [{ steps: [LOOK, SUM] }];
const goes = (next: string) => ({ next });
const done = (next = "nobody") => ({ next, isDone: true });
const replan = { next: "nobody", replan: true };
const alone = { cooperative: false };

export const SCENES: readonly Scene[] = [
  scene(
    "M58 M65",
    "a plan is accepted, and done step by step",
    "planner, person, ledger, web_surfer, ledger, coder_agent, ledger, finish: answer `tulips`",
    {
      planner: both,
      ledger: [goes("web_surfer"), done("coder_agent"), done()],
      person: ["accept"],
    },
  ),
  scene("M59", "without a person", "planner, ledger, web_surfer, ledger, finish: answer `tulips`", {
    settings: alone,
    ledger: [goes("web_surfer"), done()],
  }),
  scene(
    "M58",
    "words send the plan back",
    "planner, person, planner, person, ledger, web_surfer, ledger, finish: answer `tulips`",
    { ledger: [goes("web_surfer"), done()], person: ["look at both", "looks good"] },
  ),
  scene("M57", "what needs no plan is answered", "planner, person: waits", {
    planner: [{ answer: "tulips" }],
    ours: "planner: answer `tulips`",
    reason:
      "an answer ends the run; whoever asks on starts the next one of the thread, which knows it",
  }),
  scene("M41", "a step of the person", "planner, ledger, person, ledger, finish: answer `tulips`", {
    settings: alone,
    planner: [{ steps: [{ id: "ask", agent: "user" }] }],
    ledger: [goes("user"), done()],
    person: ["red ones"],
  }),
  scene(
    "M64",
    "a ledger that is no JSON, once",
    "planner, ledger, ledger, web_surfer, ledger, finish: answer `tulips`",
    { settings: alone, ledger: [{ text: "I think so." }, goes("web_surfer"), done()] },
  ),
  scene("M64", "a planner that never writes JSON", "planner, planner, planner: failed", {
    settings: alone,
    planner: [{ text: "I shall think of it." }],
  }),
  scene(
    "M63",
    "a ledger that names nobody of the team",
    "planner, ledger, ledger, web_surfer, ledger, finish: answer `tulips`",
    { settings: alone, ledger: [goes("gardener"), goes("web_surfer"), done()] },
  ),
  scene(
    "M56",
    "a plan for somebody who is not there",
    "planner, ledger, web_surfer, ledger, finish: answer `tulips`",
    {
      settings: alone,
      planner: [{ steps: [{ id: "look", agent: "gardener" }] }, { steps: [LOOK] }],
      ledger: [goes("web_surfer"), done()],
      ours: "planner, planner, ledger, web_surfer, ledger, finish: answer `tulips`",
      reason: "a plan is held against the team before anybody sees it, and the planner is told",
    },
  ),
  scene("M73", "a step that needs nobody", "planner, ledger, ledger, finish: answer `tulips`", {
    settings: alone,
    ledger: [goes("nobody"), done()],
  }),
  scene(
    "M71",
    "another plan keeps what is done",
    "planner, ledger, web_surfer, ledger, coder_agent, ledger, planner, ledger, file_surfer, ledger, finish: answer `tulips`",
    {
      settings: alone,
      planner: [...both, { steps: [{ id: "file", agent: "file_surfer" }] }],
      ledger: [goes("web_surfer"), done("coder_agent"), replan, goes("file_surfer"), done()],
    },
  ),
  scene(
    "M68",
    "another plan, more often than it may be",
    "planner, ledger, web_surfer, ledger, planner, ledger, web_surfer, ledger, finish: answer `tulips`",
    {
      settings: { ...alone, replansMax: 1 },
      ledger: [goes("web_surfer"), replan, goes("web_surfer"), replan],
    },
  ),
  scene(
    "M68",
    "more rounds than there may be",
    "planner, ledger, web_surfer, ledger, web_surfer, ledger, web_surfer, finish: answer `tulips`",
    {
      ours: "planner, ledger, web_surfer, ledger, web_surfer, ledger, finish: answer `tulips`",
      reason: "a bound of two is two actions; there the action behind the bound is still done",
      settings: { ...alone, roundsMax: 2 },
      ledger: [goes("web_surfer"), goes("web_surfer"), goes("web_surfer"), goes("web_surfer")],
    },
  ),
  scene(
    "M81",
    "a step that looks twice, uncounted by a judge",
    "planner, ledger, web_surfer, web_surfer, finish: answer `tulips`",
    {
      settings: alone,
      planner: [{ steps: [{ ...LOOK, times: 2 }] }],
      ledger: [goes("web_surfer")],
    },
  ),
];
