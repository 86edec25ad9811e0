/** The strong agents and the router by rule: each says what follows from its request alone, as an agent in its place would have to. */
import { rules, scriptedController } from "madrigal";

type Script = Extract<Parameters<typeof scriptedController>[0], (...given: never[]) => unknown>;
type Request = Parameters<Script>[0];
type Turn = ReturnType<Script>;

/** The sentences that the researcher knows. */
const SHELF = [
  { text: "A madrigal is a song for several voices.", source: "songs.md", about: "madrigal" },
  { text: "Five voices were usual after 1550.", source: "voices.md", about: "how many voices" },
];

const payloads = ({ inbox }: Request, kind: string) =>
  (inbox as { kind: string; payload: unknown }[])
    .filter((one) => one.kind === kind)
    .map(({ payload }) => payload);

/** Each node that a strong agent performs, by its name. */
const NODES: Readonly<Record<string, (request: Request, turn: number) => Turn>> = {
  plan: () => ({ says: ["write it", "check that it is whole"] }),

  // It reads its skill, and what the reviewer told it.
  code: (request) => {
    const day = /"(on \w+)"/.exec(request.skills[0]?.instructions ?? "")?.[1];
    const [review] = payloads(request, "review") as { findings: string[] }[];
    const place = review?.findings.some((one) => one.includes("place")) ? " at the library" : "";
    const text = `# Madrigals\nFive voices sing ${day}${place}.`;
    const input = { file_path: "leaflet.md", content: text };
    return { steps: [{ tool: "Write", input, result: "written" }], says: text };
  },

  review: ({ stateView }) => {
    const findings = stateView.faults as string[];
    return { says: { isAccepted: findings.length === 0, findings } };
  },

  split: ({ instruction }) => {
    const names = /for: (.*)/.exec(instruction)?.[1]?.split(", ") ?? [];
    return { says: names.map((name) => ({ name, details: "A line of its own." })) };
  },

  work: ({ instruction }) => {
    const name = /its text: (\w+)/.exec(instruction)?.[1] ?? "";
    if (name === "Atlantis")
      return { fails: { class: "tool", reason: "no_place", message: "there is no Atlantis" } };
    return { says: `Madrigals in ${name} on Sunday.` };
  },

  research: (request, turn) => {
    const wanted = payloads(request, "handoff") as { task: string }[];
    const text = `${request.instruction.split("\n")[0]} ${wanted[0]?.task ?? ""}`.toLowerCase();
    const facts = SHELF.filter(({ about }) => text.includes(about));
    const kept = {
      name: `facts-${turn}.json`,
      artifactKind: "search",
      text: JSON.stringify(facts),
    };
    const says = facts.map(({ text, source }) => ({ text, source }));
    return { steps: [{ kind: "artifact_created", mime: "application/json", ...kept }], says };
  },

  // A person who has a stage done otherwise says so in the same session.
  perform: ({ instruction, repair }) => {
    if (repair) return { says: `as told: ${instruction}` };
    const [, stage = ""] = /sum up what came of it: (\w+)/.exec(instruction) ?? [];
    const whom = /"answer": "(.*)"/.exec(instruction)?.[1] ?? "nobody";
    return { says: `${stage} done ${whom}` };
  },

  criticize: ({ stateView }, turn) => {
    const { length } = stateView.facts as unknown[];
    if (length === 0) return { says: "Nothing is known of it." };
    const isEnough = length > 1 || turn > 1;
    const task = isEnough ? "Write from these facts." : "Find out how many voices.";
    return { handoffs: [{ to: isEnough ? "write" : "research", task }] };
  },

  write: ({ stateView }) => ({
    says: (stateView.facts as { text: string; source: string }[])
      .map(({ text, source }) => `${text} (${source})`)
      .join(" "),
  }),
};

const byRule: Script = (request, turn) => NODES[request.operator]?.(request, turn) ?? {};

/** In the place of the controllers that the programs name: as `scope` of a run. */
export const agents = {
  claude_code: () => claude,
  codex: () => codex,
};
const claude = scriptedController(byRule, { name: "claude_by_rule" });
const codex = scriptedController(byRule, { name: "codex_by_rule" });

export const router = rules(({ messages }) => {
  const task = JSON.stringify(messages.at(-1)?.content);
  if (task.includes("?")) return { json: { next: "report" } };
  return { json: { next: task.includes("for: ") ? "split" : "build" } };
});

/** Asks for whom it is, once. */
export const clerk = rules(({ messages }) =>
  JSON.stringify(messages.at(-1)?.content).includes("for singers") ? "" : "For whom is it?",
);
