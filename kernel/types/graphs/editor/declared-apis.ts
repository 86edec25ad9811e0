/** Shows the operations of the APIs that an unfinished text declares. */
import { join } from "node:path";
import {
  type ApiReading,
  type DescribedTool,
  describeMissingOperation,
  isRecord,
} from "../../../../dsl/index.ts";
import { schemaTypeText } from "../../named/schema-type.ts";
import type { CompletionItem, Inspection } from "../../service.ts";
import { namesInText, type TextName } from "./names-in-text.ts";

/** The declared APIs by their names. An API that is described at an address is not among them. */
export type DeclaredApis = ReadonlyMap<string, ApiReading>;

/** Reads the descriptions that a cell names. The runtime, which reads them, is loaded for the first cell that declares one. */
export async function readDeclaredApis(code: string): Promise<DeclaredApis> {
  if (!/\bopenapi\b/.test(code)) return new Map();
  const declared = namesInText(code).filter(isApi);
  if (declared.length === 0) return new Map();
  const { programsBeside } = await import("../../../programs/programs-beside.ts");
  const source = { file: "cell", text: code };
  const { apis } = programsBeside({ source, path: join(process.cwd(), "cell.madrigal") });
  return new Map(
    declared.flatMap(({ name, description }) => {
      const reading = apis(description, source.file);
      return reading === undefined ? [] : [[name, reading] as const];
    }),
  );
}

function isApi(name: TextName): name is TextName & { readonly description: string } {
  return name.description !== undefined && name.description.trim() !== "";
}

/** Returns the name of the declared API behind whose dot a text ends; undefined where there is none. */
export function apiBefore(text: string, apis: DeclaredApis): string | undefined {
  const head = /(?<![\p{L}\p{N}_$.])([\p{L}_$][\p{L}\p{N}_$]*)\.$/u.exec(text)?.[1];
  return head !== undefined && apis.has(head) ? head : undefined;
}

/** Returns the operations of an API as completions, with their summaries. */
export function operationItems(reading: ApiReading | undefined): readonly CompletionItem[] {
  return Object.entries(toolsOf(reading)).map(([text, { description }]) => ({
    text,
    type: "tool",
    signature: firstLine(description),
  }));
}

/** Explains an operation: its call with the types, its request, its parameters. */
export function inspectOperation(
  api: string,
  operation: string,
  reading: ApiReading | undefined,
): Inspection | undefined {
  if (reading === undefined) return undefined;
  if ("fault" in reading) return faultInspection(reading.fault, reading.hint);
  const tools = toolsOf(reading);
  if (!Object.hasOwn(tools, operation)) {
    const { message, hint } = describeMissingOperation(api, operation, Object.keys(tools));
    return faultInspection(message, hint);
  }
  const tool = tools[operation] as DescribedTool;
  const result = tool.output === undefined ? "any" : schemaTypeText(tool.output, "read");
  const call = `${api}.${operation}(${schemaTypeText(tool.input, "given")}): ${result}`;
  const parts = [
    tool.name,
    ...(tool.description === tool.name ? [] : [tool.description]),
    parametersText(tool),
    reading.operations[operation] === "none"
      ? "It only reads."
      : "It may change something outside.",
  ].filter((part) => part !== "");
  return {
    plain: [call, ...parts].join("\n\n"),
    markdown: [`\`\`\`typescript\n${call}\n\`\`\``, ...parts].join("\n\n"),
  };
}

/** Returns the notes below the declaration of an API: its first operations, or the reason why it can't be read. */
export function apiNotes(reading: ApiReading | undefined): readonly string[] {
  if (reading === undefined) return [];
  if ("fault" in reading)
    return [reading.fault, ...(reading.hint === undefined ? [] : [reading.hint])];
  const lines = Object.entries(toolsOf(reading)).map(
    ([name, { description }]) => `- ${name}: ${firstLine(description)}`,
  );
  const more = lines.length - LISTED_MAX;
  return [...lines.slice(0, LISTED_MAX), ...(more > 0 ? [`- … ${more} more`] : [])];
}

const LISTED_MAX = 12;

function toolsOf(reading: ApiReading | undefined): Readonly<Record<string, DescribedTool>> {
  return reading !== undefined && "operations" in reading ? (reading.tools ?? {}) : {};
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** The parameters of which the description says something, a line each. */
function parametersText({ input }: DescribedTool): string {
  const { properties } = input;
  const lines = Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) =>
    isRecord(schema) && typeof schema.description === "string"
      ? [`- ${name}: ${firstLine(schema.description)}`]
      : [],
  );
  return lines.join("\n");
}

function faultInspection(message: string, hint: string | undefined): Inspection {
  const text = hint === undefined ? message : `${message}; ${hint}`;
  return { plain: text, markdown: text };
}
