/** Explains why a node run is performed again: which of its inputs changed. */
import { skillIn } from "../agents/skills/skill-hashes.ts";
import { isJsonEqual } from "../state/json.ts";
import type { AttemptContent } from "./content.ts";
import type { Unserved } from "./dry-run.ts";

/** In words, the edits first; what it reads only where nothing else explains it. */
export function whyOf(
  { content, counterpart, label }: Unserved,
  of: { readonly isAnew: boolean; readonly isOutside: boolean },
): readonly string[] {
  if (of.isAnew) return ["it is asked for anew"];
  if (counterpart === undefined)
    return [`the recorded run has no \`${label}\` that came to something`];
  const was = counterpart.content;
  const edits = [
    ...nodeEdits(was, content),
    ...modelEdits(was, content),
    ...codeEdits(was, content),
  ];
  if (edits.length > 0) return edits;
  const reads = readsOtherwise(was, content);
  if (reads.length > 0) return reads;
  return [
    of.isOutside ? "it calls something outside" : "what is recorded of it is served to another",
  ];
}

/** Members of a node that its work depends on, and what people call them. */
const MEMBERS = {
  kind: "kind",
  prompt: "prompt",
  system: "system prompt",
  ask: "question",
  call: "call",
  tools: "tools",
  skills: "skills",
  controller: "controller",
  session: "session",
  params: "parameters",
  reads: "reads",
  edits: "edited fields",
  output: "type of its output",
  history: "history",
  context: "context",
  recalls: "memory",
  stores: "memory",
  every: "rounds",
  effects: "effects",
  ensures: "conditions",
} as const;

function nodeEdits({ node: was }: AttemptContent, { node }: AttemptContent): readonly string[] {
  const names = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[];
  const changed = names.filter((name) => !isJsonEqual(was[name] ?? null, node[name] ?? null));
  return [...new Set(changed.map((name) => `${MEMBERS[name]} changed`))];
}

function modelEdits({ model: was }: AttemptContent, { model }: AttemptContent): readonly string[] {
  if (was?.id !== model?.id)
    return [`model changed: ${was?.id ?? "none"} → ${model?.id ?? "none"}`];
  return isJsonEqual(was?.options ?? null, model?.options ?? null)
    ? []
    : ["model settings changed"];
}

function codeEdits({ code: was }: AttemptContent, { code }: AttemptContent): readonly string[] {
  return Object.entries(code).flatMap(([name, hash]) => {
    const then = was[name] ?? null;
    if (then === hash) return [];
    const skill = skillIn(name);
    const what = skill === undefined ? `function \`${name}\`` : `skill \`${skill}\``;
    if (then === null)
      return [`${what}: its ${skill === undefined ? "code" : "text"} of then is not known`];
    if (hash === null) return [`${what}: it is gone`];
    return [`${what}: ${skill === undefined ? "code changed" : "it changed"}`];
  });
}

const READ: Readonly<Record<string, string>> = {
  prompt: "its prompt has other values",
  system: "its prompt has other values",
  callArgs: "its arguments are others",
  messages: "its messages are others",
  history: "what it remembers is other",
  session: "what it remembers is other",
  choices: "its choices are others",
  skills: "its skills are others",
  question: "its question has other values",
};

function readsOtherwise(
  { seen: was }: AttemptContent,
  { seen }: AttemptContent,
): readonly string[] {
  const names = new Set([...Object.keys(was), ...Object.keys(seen)]);
  const changed = [...names].filter((name) => !isJsonEqual(was[name] ?? null, seen[name] ?? null));
  return [...new Set(changed.map((name) => READ[name] ?? "what it reads is other"))];
}
