/** Writes a plan as the XML of Eko's planner. */
import type { Plan, PlanNote, PlanStep } from "../../dsl/index.ts";

export function writeEkoPlan({ name = "", thought = "", steps }: Plan): string {
  return [
    "<root>",
    `  <name>${escaped(name)}</name>`,
    `  <thought>${escaped(thought)}</thought>`,
    "  <agents>",
    ...steps.flatMap(writeStep),
    "  </agents>",
    "</root>",
  ].join("\n");
}

function writeStep({ id, title, details, agent, tool, depends, notes, repeat }: PlanStep) {
  const items = /^each of (.+)$/s.exec(repeat ?? "")?.[1];
  const own = details === title ? [] : [{ text: details }];
  const parts = notes ?? (items === undefined ? own : [{ each: items, notes: own }]);
  return [
    `    <agent${written({ name: agent ?? tool ?? "", id, dependsOn: (depends ?? []).join(",") })}>`,
    `      <task>${escaped(title)}</task>`,
    ...(parts.length === 0 ? [] : inside("nodes", {}, parts.flatMap(writeNote), "      ")),
    "    </agent>",
  ];
}

function writeNote(note: PlanNote): readonly string[] {
  if ("text" in note) {
    const { text, input, output } = note;
    return [`<node${written({ input, output })}>${escaped(text)}</node>`];
  }
  const notes = note.notes.flatMap(writeNote);
  if ("each" in note) return inside("forEach", { items: note.each }, notes);
  const loop = note.loop === undefined ? undefined : `${note.loop}`;
  return inside("watch", { event: note.watch, loop }, [
    `<description>${escaped(note.description)}</description>`,
    ...inside("trigger", {}, notes),
  ]);
}

function inside(
  tag: string,
  attributes: Readonly<Record<string, string | undefined>>,
  lines: readonly string[],
  indent = "",
): readonly string[] {
  return [
    `${indent}<${tag}${written(attributes)}>`,
    ...lines.map((line) => `${indent}  ${line}`),
    `${indent}</${tag}>`,
  ];
}

function written(attributes: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escaped(value)}"`]))
    .join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
