/** Reads the text of an OpenAPI description, YAML or JSON, and finds the places of what is wrong with it. */
import { createRequire } from "node:module";
import { isRecord } from "../../../dsl/index.ts";

/** A part of a description, before it is known to be what it should. */
export type DescriptionPart = Readonly<Record<string, unknown>>;

/** A description as plain data; `version` is `3.0` or `3.1`. */
export interface ApiDescription {
  readonly version: "3.0" | "3.1";
  readonly root: DescriptionPart;
}

/** The place of a fault in a description: line and column from 1. */
export interface PlaceInDescription {
  readonly line: number;
  readonly column: number;
}

/** Thrown for a description that can't be used; a message for whoever wrote it. */
export class DescriptionFault extends Error {
  readonly hint: string | undefined;
  /** The keys that lead to what is wrong; absent where the text can't be parsed. */
  readonly path: readonly (string | number)[] | undefined;
  readonly place: PlaceInDescription | undefined;

  constructor(
    message: string,
    details: {
      readonly cause?: unknown;
      readonly hint?: string | undefined;
      readonly path?: readonly (string | number)[] | undefined;
      readonly place?: PlaceInDescription | undefined;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = "DescriptionFault";
    this.hint = details.hint;
    this.path = details.path;
    this.place = details.place;
  }
}

/** The largest known descriptions have 12 MB. */
export const DESCRIPTION_BYTES_MAX = 32 * 1024 * 1024;

type Yaml = typeof import("yaml");
let loaded: Yaml | undefined;

/** Loaded when the first description is read: a check is synchronous. */
function yaml(): Yaml {
  loaded ??= createRequire(import.meta.url)("yaml") as Yaml;
  return loaded;
}

/** Throws a `DescriptionFault` for a text that is no OpenAPI 3.0 or 3.1. */
export function readDescription(text: string): ApiDescription {
  if (Buffer.byteLength(text) > DESCRIPTION_BYTES_MAX)
    throw new DescriptionFault(`it is longer than ${DESCRIPTION_BYTES_MAX / 1024 / 1024} MiB`);
  const root = parsed(text);
  if (!isRecord(root))
    throw new DescriptionFault("it is no OpenAPI: it has no members", { path: [] });
  const { openapi, swagger, paths } = root;
  const version = /^3\.[01](?=\.|$)/.exec(String(openapi ?? ""))?.[0];
  if (version !== "3.0" && version !== "3.1") {
    const found = swagger ?? openapi;
    throw new DescriptionFault(
      found === undefined
        ? "it has no `openapi` that says its version"
        : `it is of version ${String(found)}, and 3.0 and 3.1 are read`,
      {
        path: swagger === undefined ? ["openapi"] : ["swagger"],
        hint:
          swagger === undefined
            ? 'write `openapi: "3.1.0"`'
            : "convert it: `npx swagger2openapi FILE` makes 3.0 of 2.0",
      },
    );
  }
  if (!isRecord(paths)) throw new DescriptionFault("it has no `paths`", { path: ["paths"] });
  return { version, root };
}

function parsed(text: string): unknown {
  // Large descriptions are JSON mostly, which Node reads a hundred times faster than a YAML parser.
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // It may be YAML; else its fault is told below, with its place.
    }
  }
  const { parseDocument, LineCounter } = yaml();
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    throw new DescriptionFault(`it is no YAML or JSON: ${error.message}`, {
      place: { line, column: col },
    });
  }
  try {
    return document.toJS({ maxAliasCount: 1_000 });
  } catch (cause) {
    throw new DescriptionFault(`it can't be read: ${(cause as Error).message}`, { cause });
  }
}

/** Finds a part of a description in its text, or the nearest part around it. */
export function placeIn(
  text: string,
  { place, path }: DescriptionFault,
): PlaceInDescription | undefined {
  if (place !== undefined || path === undefined) return place;
  const { parseDocument, LineCounter, isCollection, isNode, isPair } = yaml();
  const lineCounter = new LineCounter();
  let node: unknown = parseDocument(text, { lineCounter, prettyErrors: false }).contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    if (!isCollection(node)) break;
    const pair: unknown = node.items.find(
      (one) => isPair(one) && isNode(one.key) && String(one.key) === String(step),
    );
    const next = node.get(step, true);
    const at = isPair(pair) && isNode(pair.key) ? pair.key : next;
    if (!isNode(at)) break;
    offset = at.range?.[0] ?? offset;
    node = next;
  }
  const { line, col } = lineCounter.linePos(offset);
  return { line, column: col };
}

/** Follows `$ref`s of one part to what they mean in the same description; throws for one that leads elsewhere. */
export function resolved(
  part: unknown,
  root: DescriptionPart,
  path: readonly (string | number)[],
): DescriptionPart {
  let at = part;
  for (let step = 0; step < REFERENCES_MAX; step += 1) {
    if (!isRecord(at)) break;
    if (typeof at.$ref !== "string") return at;
    at = pointedAt(at.$ref, root, path);
  }
  throw new DescriptionFault("a part is missing, or refers to itself", { path });
}

const REFERENCES_MAX = 50;

/** The part that a `$ref` means. */
export function pointedAt(
  reference: string,
  root: DescriptionPart,
  path: readonly (string | number)[],
): unknown {
  if (!reference.startsWith("#")) {
    throw new DescriptionFault(`\`${reference}\` is in another file, and one file is read`, {
      path,
      hint: "bundle them: `npx @redocly/cli bundle FILE`",
    });
  }
  const found = stepsOf(reference).reduce<unknown>(
    (at, step) =>
      (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, step)
        ? (at as Record<string, unknown>)[step]
        : undefined,
    root,
  );
  if (found === undefined) throw new DescriptionFault(`there is no \`${reference}\``, { path });
  return found;
}

/** The steps of a JSON pointer in a `$ref`. */
export function stepsOf(reference: string): readonly string[] {
  return reference
    .split("/")
    .slice(1)
    .map((step) => unescaped(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
