/** Warns of fields in which agents keep a conversation by hand. */
import type { FieldIr, Ir, NodeIr } from "../../ir/ir.ts";
import { resolveType } from "../../ir/types.ts";
import { referencesOf } from "../../lower/references.ts";
import type { SoundGraph } from "../context.ts";
import { elementOf } from "../expressions/member-type.ts";
import type { FieldWriter } from "../facts.ts";
import { readingOf, seesWholeState } from "../state/reading.ts";

/** Warns of a list of texts that agents add to, and that only their own prompts read: a conversation kept by hand. */
export function checkChatField(check: SoundGraph): void {
  const { ir, symbols, writers, report } = check;
  const texts = ir.fields.filter((field) => isListOfTexts(field, check));
  if (texts.length === 0 || seesWholeState(check.reading)) return;
  for (const { name } of texts) {
    const speakers = speakersOf(name, writers, ir);
    const decl = symbols.fields.get(name)?.decl;
    if (speakers === undefined || decl === undefined || !isReadBy(speakers, name, check)) continue;
    report({
      code: "M3224",
      severity: "warning",
      message: `\`${name}\` only carries what ${speakers.map((node) => `\`${node.name}\``).join(", ")} said into ${speakers.length === 1 ? "its prompt" : "their prompts"}`,
      span: decl.name.span,
      hint: "for a conversation there is `history`, and `tell` for messages; a field holds what a condition or a result needs",
    });
  }
}

function isListOfTexts({ type, reducer, scope }: FieldIr, { symbols }: SoundGraph): boolean {
  const { types } = symbols.file;
  const item = elementOf(resolveType(type, types));
  const shape = item && resolveType(item, types);
  const isText = shape?.kind === "named" && shape.name === "string";
  return isText && reducer.name === "append" && scope === "run";
}

/** The agents that write the field, if all that change it are agents, and they write all that they say. */
function speakersOf(
  field: string,
  writers: readonly FieldWriter[],
  { nodes }: Ir,
): readonly NodeIr[] | undefined {
  const names = new Set(writers.flatMap((writer) => (writer.field === field ? writer.node : [])));
  const speakers = nodes.filter((node) => names.has(node.name));
  const isSaid = (node: NodeIr) =>
    node.kind === "agent" &&
    node.writes.some((write) => write.field === field && write.value === undefined);
  return speakers.length > 0 && speakers.length === names.size && speakers.every(isSaid)
    ? speakers
    : undefined;
}

/** All of them read it, in their prompts, and nothing else does. */
function isReadBy(speakers: readonly NodeIr[], field: string, { ir, listed }: SoundGraph): boolean {
  if (listed.has(field)) return false;
  const prompts = speakers.map(({ prompt, system }) => referencesOf({ prompt, system }).names);
  const others = ir.nodes.map((node) => {
    if (!speakers.includes(node)) return node;
    const { prompt, system, ...rest } = node;
    return rest;
  });
  return (
    prompts.every((names) => names.has(field)) &&
    !readingOf({ ...ir, nodes: others }).names.has(field)
  );
}
