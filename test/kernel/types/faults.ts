/** Type faults in sound programs: each is an edit, with the characters that are then at fault. */
import { parse, type Span } from "../../../dsl/index.ts";

/** A program with one fault in it. */
export interface Fault {
  readonly what: string;
  readonly text: string;
  /** What is at fault, in the new text. */
  readonly span: Span;
}

/** Part of a tree, whatever it is. */
interface Part {
  readonly kind?: string;
  readonly span?: Span;
  readonly [key: string]: unknown;
}

interface Site {
  readonly what: string;
  readonly span: Span;
  readonly by: string;
}

/** Every fault of these kinds that the program has a place for, in the order of the text. */
export function faultsIn(text: string): readonly Fault[] {
  const { ast } = parse({ file: "program", text });
  const types = fieldTypes(ast, text);
  const sites: Site[] = [];
  walk(ast as unknown as Part, undefined, (part, parent) => {
    sites.push(...sitesAt(part, { parent, text, types }));
  });
  return sites.map(({ what, span, by }) => ({
    what: `${what}: \`${text.slice(span.start, span.end)}\` → \`${by}\``,
    text: text.slice(0, span.start) + by + text.slice(span.end),
    span: { start: span.start, end: span.start + by.length },
  }));
}

interface Around {
  readonly parent: Part | undefined;
  readonly text: string;
  /** The declared types of fields and parameters. */
  readonly types: ReadonlyMap<string, string>;
}

function sitesAt(part: Part, around: Around): readonly Site[] {
  const { text, types } = around;
  const replace = (what: string, target: unknown, by: string): Site[] => {
    const { span } = (target ?? {}) as Part;
    return span === undefined ? [] : [{ what, span, by }];
  };
  const nameIn = (target: unknown) => (target as { readonly text: string }).text;
  switch (part.kind) {
    case "member":
      return replace("member", part.name, `${nameIn(part.name)}x`);
    case "index":
      return replace("index", part.index, '"first"');
    case "binary":
      return comparisons(part, replace);
    case "ensure":
      return part.by === undefined ? replace("condition", part.condition, "42") : [];
    case "when":
      return replace("condition", part.condition, '"often"');
    case "approve":
      return replace("condition", (part.consent as Part).when, "42");
    case "expect":
      return replace("condition", part.condition, '"maybe"');
    case "each":
      return [...replace("items", part.items, "42"), ...replace("condition", part.when, "1")];
    case "every":
      return [...replace("pause", part.interval, "true"), ...replace("end", part.until, "[1]")];
    case "store":
      return replace("store", part.value, "42");
    case "template":
      return (part.parts as readonly unknown[]).flatMap((hole) =>
        typeof hole === "string" ? [] : replace("hole", hole, "[].map"),
      );
    case "match":
      return (part.cases as readonly { readonly values?: readonly Part[] }[]).flatMap((one) =>
        (one.values ?? []).flatMap((value) =>
          replace("case", value, `"not ${text.slice(value.span?.start, value.span?.end).slice(1)}`),
        ),
      );
    case "script":
      return (part.lines as readonly Part[]).flatMap((line) =>
        replace("script", line.value, "[[1]]"),
      );
    default:
      return plainSites(part, { replace, nameIn, types });
  }
}

interface Tools {
  readonly replace: (what: string, target: unknown, by: string) => Site[];
  readonly nameIn: (target: unknown) => string;
  readonly types: Around["types"];
}

/** Parts of the tree that have no kind: fields, parameters, branches, assignments, references, calls. */
function plainSites(part: Part, { replace, nameIn, types }: Tools): readonly Site[] {
  if ("condition" in part && "hops" in part) return replace("condition", part.condition, "42");
  if ("field" in part && "value" in part && part.value !== undefined)
    return replace("write", part.value, wrongFor(types.get(nameIn(part.field)) ?? ""));
  if ("type" in part && "value" in part && part.value !== undefined && "name" in part)
    return replace("default", part.value, wrongFor(types.get(nameIn(part.name)) ?? ""));
  const isRef = "node" in part && "args" in part;
  const isCall = part.kind === "call" && Array.isArray(part.args);
  if (!isRef && !isCall) return [];
  return (part.args as readonly Part[]).flatMap(({ value }) => {
    // Of a lambda the body is what is wrong.
    const isLambda = (value as Part).kind === "lambda";
    return isLambda || isVisits(part) ? [] : replace("argument", value, "-1");
  });
}

/** `visits(code)` of a test names a node, not a value. */
function isVisits({ callee }: Part): boolean {
  return (callee as { readonly text?: string } | undefined)?.text === "visits";
}

/** The text on one side of `==`, with one letter more; the code of an error may be any text. */
function comparisons(part: Part, replace: Tools["replace"]): readonly Site[] {
  const right = part.right as Part & { readonly value?: unknown };
  const isCode = (part.left as { readonly name?: { readonly text: string } }).name?.text === "code";
  if (part.op !== "==" || right.kind !== "string" || isCode) return [];
  return replace("comparison", right, JSON.stringify(`${right.value}x`));
}

function wrongFor(type: string): string {
  if (type === "int" || type === "number") return '"four"';
  if (type === "boolean") return '"yes"';
  return type.startsWith('"') ? '"nonsense"' : "42";
}

function fieldTypes(ast: unknown, text: string): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  walk(ast as Part, undefined, (part) => {
    const { name, type } = part as { name?: { text?: string }; type?: Part };
    if (name?.text !== undefined && type?.span !== undefined)
      types.set(name.text, text.slice(type.span.start, type.span.end));
  });
  return types;
}

function walk(
  part: Part,
  parent: Part | undefined,
  visit: (part: Part, parent: Part | undefined) => void,
): void {
  if (typeof part !== "object" || part === null) return;
  if (!Array.isArray(part)) visit(part, parent);
  for (const inner of Object.values(part)) walk(inner as Part, part, visit);
}

/** So many of them, in an order that only the seed decides. */
export function chosen<T>(from: readonly T[], count: number, seed: number): readonly T[] {
  const random = randomFrom(seed);
  return from
    .map((one) => ({ one, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ one }) => one);
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
