/** One call of the builder, one part: its text, and what must be read in it. */
import type { NodeKindOf } from "../vocabulary/node-kinds.ts";
import { AND, ANY_FLOW, flowContents, nodeContents } from "./contents.ts";
import type {
  ArrowSource,
  BuilderMemory,
  BuilderParam,
  BuilderWords,
  CallOptions,
  Clauses,
  Fields,
  Hop,
  JsonObject,
  NodeOptions,
  Params,
  Text,
} from "./options.ts";
import { type BuilderPart, callName } from "./part.ts";
import { writeBlock, writeClauses } from "./write-clauses.ts";
import { hopCount, writeChain, writeSource } from "./write-hops.ts";
import {
  plainName,
  writeFields,
  writeParam,
  writeParams,
  writeTexts,
  writeValue,
} from "./write-value.ts";

/** Names of another module, under their own names or others: `["search", { fetch: "read" }]`. */
export type ImportNames = readonly (string | Readonly<Record<string, string>>)[];

export function importPart(from: string, names: ImportNames): BuilderPart {
  const pairs = names.flatMap((name) =>
    typeof name === "string" ? [[name, name] as const] : Object.entries(name),
  );
  const written = pairs.map(([name, as]) => (name === as ? name : `${name} as ${as}`));
  return {
    call: callName("import", from),
    place: "file",
    text: `import { ${written.join(", ")} } from ${JSON.stringify(from)}`,
    contents: `import ${pairs.map(([, as]) => as).join(AND)}`,
  };
}

/** A model or a server: what it is in plain text or as an expression, and its settings. */
export function servicePart(
  word: "model" | "mcp" | "openapi",
  name: string,
  service: {
    readonly value: BuilderWords;
    readonly settings?: Text | JsonObject | undefined;
    readonly optional?: boolean | undefined;
  },
): BuilderPart {
  const { value, settings, optional } = service;
  const text = typeof value === "string" ? JSON.stringify(value) : value.expression;
  const tail = settings === undefined ? "" : ` ${writeValue(settings)}`;
  return {
    call: callName(word, name),
    place: "file",
    text: `${word} ${name} = ${text}${tail}${optional === true ? " optional" : ""}`,
    contents: `${word} ${name}`,
  };
}

export function typePart(name: string, type: Text): BuilderPart {
  const text = `type ${name} = ${type}`;
  return { call: callName("type", name), place: "file", text, contents: `type ${name}` };
}

export function configPart(settings: Text | JsonObject): BuilderPart {
  const text = `config ${writeValue(settings)}`;
  return { call: callName("config"), place: "file", text, contents: "config" };
}

export function memoryPart(name: string, type: Text, options: BuilderMemory): BuilderPart {
  const { scope, by, settings } = options;
  const whose = scope === undefined ? "" : ` ${scope}`;
  const key = by === undefined ? "" : ` by ${by}`;
  const tail = settings === undefined ? "" : ` ${writeValue(settings)}`;
  const text = `memory ${name}${whose}: ${type}${key}${tail}`;
  return { call: callName("memory", name), place: "item", text, contents: `memory ${name}` };
}

export function paramPart(name: string, param: BuilderParam): BuilderPart {
  return {
    call: callName("param", name),
    place: "param",
    text: writeParam(name, param),
    contents: `param ${name}`,
  };
}

export function returnsPart(fields: readonly string[]): BuilderPart {
  const text = fields.join(", ");
  return {
    call: callName("returns", ...fields),
    place: "returns",
    text,
    contents: `returns ${fields.join(AND)}`,
  };
}

export function descriptionPart(text: string): BuilderPart {
  return {
    call: callName("describe", text),
    place: "description",
    text: JSON.stringify(text),
    contents: "description",
  };
}

export function statePart(scope: "run" | "thread" | "user", fields: Fields): BuilderPart {
  const names = Object.keys(fields).map(plainName);
  return {
    call: scope === "run" ? callName("state") : callName("state", scope),
    place: "item",
    text: `state ${scope === "run" ? "" : `${scope} `}${writeBlock(writeFields(fields))}`,
    contents: `state ${scope}: ${names.join(AND)}`,
  };
}

export function defaultsPart(clauses: Clauses): BuilderPart {
  const { lines, words } = writeClauses(clauses);
  return {
    call: callName("defaults"),
    place: "item",
    text: `defaults ${writeBlock(lines)}`,
    contents: nodeContents({ head: "defaults", clauses: words }),
  };
}

export function nodePart(
  word: "agent" | "operator" | "human" | "router",
  name: string,
  { description, params, ...clauses }: NodeOptions,
): BuilderPart {
  const { lines, words } = writeClauses(clauses);
  return {
    call: callName(word, name),
    place: "item",
    text: `${word} ${name}${writeParams(params)}${writeDescription(description)} ${writeBlock(lines)}`,
    contents: contentsOfNode(word, name, { params, words }),
  };
}

export function callPart(
  word: NodeKindOf<"call">,
  name: string,
  { call, description, params, writes, ...clauses }: CallOptions & { readonly call: Text },
): BuilderPart {
  const { lines, words } = writeClauses(clauses);
  const clauseTexts = [
    `${word} ${name}${writeParams(params)}${writeDescription(description)} = ${call}`,
    ...(writes === undefined ? [] : [`writes ${writeTexts(writes)}`]),
    ...(lines.length === 0 ? [] : [writeBlock(lines)]),
  ];
  return {
    call: callName(word, name),
    place: "item",
    text: clauseTexts.join(" "),
    contents: contentsOfNode(word, name, {
      params,
      words: writes === undefined ? words : ["writes", ...words],
    }),
  };
}

function writeDescription(description: string | undefined): string {
  return description === undefined ? "" : ` ${JSON.stringify(description)}`;
}

/** A statement that is a word and what stands behind it. */
export function statementPart(
  method: string,
  {
    word,
    text,
    kind = word,
  }: { readonly word: string; readonly text: Text; readonly kind?: string },
): BuilderPart {
  return { call: callName(method), place: "item", text: `${word} ${text}`, contents: kind };
}

export function edgePart(from: ArrowSource<string>, hops: readonly Hop<string>[]): BuilderPart {
  const source = writeSource(from);
  return {
    call: callName("edge", source),
    place: "item",
    text: `${source} -> ${writeChain(hops)}`,
    contents: flowContents(hopCount(hops)),
  };
}

export function flowPart(text: Text): BuilderPart {
  return { call: callName("flow"), place: "item", text, contents: ANY_FLOW };
}

function contentsOfNode(
  word: string,
  name: string,
  {
    params = {},
    words,
  }: { readonly params: Params | undefined; readonly words: readonly string[] },
): string {
  return nodeContents({ head: `${word} ${name}`, params: Object.keys(params), clauses: words });
}
