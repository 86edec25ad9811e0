/** Reads the input of a graph from a message of A2A. */
import { isRecord, parametersSchema } from "../../dsl/index.ts";
import { type Graph, remote } from "../../runtime/index.ts";

/** Thrown for a message that holds no input of the graph. */
export class MessageFault extends Error {
  /** True if a part is of a kind that graphs do not take. */
  readonly isOfContent: boolean;

  constructor(message: string, isOfContent = false) {
    super(message);
    this.isOfContent = isOfContent;
  }
}

/** Data are parameters by name; a text is the one text that is missing, or an object as JSON. */
export function inputIn(
  parts: readonly remote.WirePart[],
  { ir }: Graph,
): Readonly<Record<string, unknown>> {
  const own = parts.filter((part) => !remote.isEnvelopePart(part));
  assertContent(own);
  const data = remote.dataOf(own) ?? {};
  if (!isRecord(data)) throw new MessageFault("the data of the message is no JSON object");
  const text = remote.textOfParts(own);
  if (text === undefined) return data;
  const missing = ir.params.filter(
    ({ name, optional, default: value }) =>
      !optional && value === undefined && !Object.hasOwn(data, name),
  );
  const [only] = missing;
  if (missing.length === 1 && only !== undefined && isText(ir, only.name))
    return { ...data, [only.name]: text };
  if (missing.length === 0) return data;
  const read = objectIn(text);
  if (read !== undefined) return { ...read, ...data };
  throw new MessageFault(
    `the graph takes ${missing.map(({ name }) => name).join(", ")}: send a data part with an object of these`,
  );
}

/** The value that answers a question: data as it is, else the text. */
export function answerIn(parts: readonly remote.WirePart[]): { readonly data: unknown } | string {
  assertContent(parts);
  const data = remote.dataOf(parts);
  return data === undefined ? (remote.textOfParts(parts) ?? "") : { data };
}

function assertContent(parts: readonly remote.WirePart[]): void {
  if (parts.some(({ raw, url }) => raw !== undefined || url !== undefined))
    throw new MessageFault("files are not taken: send texts and data", true);
}

function isText(ir: Graph["ir"], name: string): boolean {
  const { properties } = parametersSchema(ir);
  const schema = isRecord(properties) ? properties[name] : undefined;
  return isRecord(schema) && schema.type === "string";
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
