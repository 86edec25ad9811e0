/** A run of `Magentic` with a person's words, an open review and a sentinel, whose models answer by what they are asked. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Answer,
  type Graph,
  type Interrupt,
  type Session,
  scripted,
  tool,
} from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";

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

export function magenticIn(session: Session): Graph {
  const file = join(projectRoot, "runtime/library/magentic.madrigal");
  const { Magentic } = session.compile(readFileSync(file, "utf8"), { file, scope });
  if (Magentic === undefined) throw new Error("no graph");
  return Magentic;
}

const steps = [
  { id: "watch", title: "Watch", details: "the price", agent: "web_surfer", repeat: "3 times" },
  { id: "sum", title: "Sum", details: "the prices", agent: "coder_agent" },
];
const plan = { kind: "plan", response: "Look.", source: "none", summary: "look", steps };
const ledger = { isDone: false, needsReplan: false, reason: "", progress: "", instruction: "go" };

/** Fresh ones for each process: an answer fits what is asked, and not how often somebody was asked before. */
export const minds = () => {
  const m = scripted({
    planner: [
      { says: plan, when: /^(?!.*The plan so far)/s },
      { says: plan, when: "The plan so far" },
    ],
    watch: [1, 2, 3].map((round) => ({ says: `price ${round}`, when: `(Round ${round}` })),
    track: [
      // The prompt ends with the words that the person said during the run.
      { says: { ...ledger, next: "web_surfer" }, when: /^Not the red one!$/ },
      { says: { ...ledger, next: "web_surfer" }, when: "We are at step 1" },
      {
        says: { ...ledger, next: "coder_agent" },
        when: /We are at step 2.*It has not been begun/s,
      },
      {
        says: { ...ledger, isDone: true, progress: "6", next: "nobody" },
        when: /We are at step 2(?!.*It has not been begun)/s,
      },
    ],
    coder_agent: ["The sum is 6."],
    finish: ["6."],
  });
  return { models: { orchestrator: m, surfer: m, programmer: m } };
};

/** The first plan is sent back with words, the second one is accepted. */
export function person({ node, shown }: Interrupt): Answer | undefined {
  if (node !== "review") return undefined;
  const { version } = shown as { readonly version: number };
  return version === 1 ? { kind: "value", value: "Only new lamps!" } : { kind: "approve" };
}

/** The words of the person, each of which must be there in the end, once. */
export const words = ["Watch the lamps.", "Only new lamps!", "Not the red one!"];

/** The result of such a run, with the words as the conversation has them. */
export function magenticOutcome(output: unknown, state: unknown): unknown {
  const { answer, why, plan, found } = output as Readonly<Record<string, unknown>>;
  const { talk } = state as { readonly talk: readonly { role: string; content: string }[] };
  const said = talk.filter(({ role }) => role === "user").map(({ content }) => content);
  return {
    answer,
    why,
    plan,
    found,
    words: words.map((word) => said.filter((one) => one === word).length),
  };
}
