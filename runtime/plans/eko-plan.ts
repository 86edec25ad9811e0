/** Reads the XML of Eko's planner, whole or as far as it has come. */
import { createRequire } from "node:module";
import type { Plan, PlanNote, PlanStep } from "../../dsl/index.ts";
import { noPlanIn } from "./plan-format.ts";
import { detailsOf } from "./plan-notes.ts";

/** Reads a whole plan; what stands before `<root>` begins its thought. */
export function readEkoPlan(given: unknown): Plan {
  const text = typeof given === "string" ? given : "";
  const agents = find(treeOf(text), "agents");
  if (agents === undefined) throw noPlanIn("eko", "it has no `<agents>`");
  if (!/<\/(?:root|agents)>/.test(text)) throw noPlanIn("eko", "it breaks off before `</agents>`");
  return planIn(text);
}

/**
 * Reads as much of a plan as there is of its text, which may break off anywhere. Never throws; of a longer text it returns no fewer
 * steps, and those of which the end has come stay as they are.
 */
export function readEkoPlanSoFar(text: string): Plan {
  // A tag of which the end is not there yet says nothing.
  return planIn(text.replace(/<[^<>]*$|&[^;\s]*$/, ""));
}

function planIn(text: string): Plan {
  const root = treeOf(text);
  const agents = find(root, "agents");
  const name = textIn(find(root, "name"));
  const thought = [
    text.slice(0, Math.max(0, text.search(/<root\b/))).replaceAll(/<\/?think(?:ing)?>/g, ""),
    textIn(find(root, "thought")) ?? "",
  ]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n");
  const steps = (agents?.children ?? []).filter(({ tag }) => tag === "agent").map(stepOf);
  return {
    ...(name === undefined ? {} : { name }),
    ...(thought === "" ? {} : { thought }),
    steps: steps.map((step, at) => repeatedFor(step, steps.slice(0, at))),
  };
}

/**
 * An agent that has nothing but one `<forEach>` is a step that is done for each item: the engine counts, and no model. Items that are a
 * variable are what the last step before came to that writes it.
 */
function repeatedFor(step: PlanStep, before: readonly PlanStep[]): PlanStep {
  const [only, ...others] = step.notes ?? [];
  if (only === undefined || !("each" in only) || others.length > 0) return step;
  const variable = only.each.replace(/^\$\{?(.*?)\}?$/, "$1").trim();
  const writer = before.findLast(({ notes = [] }) =>
    notes.some((note) => "output" in note && note.output === variable),
  );
  if (variable === "" || only.notes.length === 0) return step;
  const repeat = `each of ${writer?.id ?? only.each}`;
  return { ...step, details: detailsOf(only.notes), repeat };
}

function stepOf({ attributes, children }: XmlElement, at: number): PlanStep {
  const title = textIn(children.find(({ tag }) => tag === "task")) ?? "";
  const notes = (children.find(({ tag }) => tag === "nodes")?.children ?? []).flatMap(noteOf);
  const agent = attributes.name;
  const depends = (attributes.dependson ?? "").split(",").map((id) => id.trim());
  const waits = depends.filter((id) => id !== "");
  return {
    id: attributes.id ?? `${at}`,
    title,
    details: notes.length === 0 ? title : detailsOf(notes),
    ...(agent === undefined || agent === "" ? {} : { agent }),
    ...(waits.length === 0 ? {} : { depends: waits }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function noteOf(element: XmlElement): readonly PlanNote[] {
  const { tag, attributes, children } = element;
  if (tag === "node") {
    const { input, output } = attributes;
    return [
      {
        text: element.text.trim(),
        ...(input === undefined ? {} : { input }),
        ...(output === undefined ? {} : { output }),
      },
    ];
  }
  if (tag === "foreach") {
    return [{ each: attributes.items ?? "", notes: children.flatMap(noteOf) }];
  }
  if (tag !== "watch") return [];
  const trigger = children.find((child) => child.tag === "trigger");
  return [
    {
      watch: attributes.event ?? "",
      ...(attributes.loop === undefined ? {} : { loop: attributes.loop === "true" }),
      description: textIn(children.find((child) => child.tag === "description")) ?? "",
      notes: (trigger?.children ?? []).flatMap(noteOf),
    },
  ];
}

interface XmlElement {
  /** In small letters, as the names of attributes are. */
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

type HtmlParser = typeof import("htmlparser2");
let loaded: HtmlParser | undefined;

/** Loaded when the first plan is read, at once: a stream of pieces is read synchronously. */
function htmlParser(): HtmlParser {
  loaded ??= createRequire(import.meta.url)("htmlparser2") as HtmlParser;
  return loaded;
}

function treeOf(text: string): XmlElement {
  const { Parser } = htmlParser();
  const root: XmlElement = { tag: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        const element: XmlElement = { tag, attributes, children: [], text: "" };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext: (piece) => {
        const last = open.at(-1);
        if (last !== undefined) last.text += piece;
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true, decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(text);
  return root;
}

/** The first element of a tag, wherever it stands. */
function find(element: XmlElement, tag: string): XmlElement | undefined {
  for (const child of element.children) {
    const found = child.tag === tag ? child : find(child, tag);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textIn(element: XmlElement | undefined): string | undefined {
  return element?.text.trim();
}
