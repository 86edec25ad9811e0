/** Reads the parameters of an operation: the members of its input, and how each is sent. */
import { isRecord, type JsonSchema } from "../../../dsl/index.ts";
import type { ApiSchemas } from "./api-schema.ts";
import { DescriptionFault, type DescriptionPart, resolved } from "./read-description.ts";

/** A parameter that is sent in the address or a header. */
export interface ApiParameter {
  /** The member of the input: its name, with where it stands if two have one name. */
  readonly member: string;
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /** True where the value is sent as JSON. */
  readonly isJson?: true;
}

const STYLES = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
} as const;
export type ParameterStyle = (typeof STYLES)[keyof typeof STYLES][number];

/** Headers that a description can't let a model set: they are ours, or those of the connection. */
const OWN_HEADERS =
  /^(?:accept|content-type|content-length|authorization|cookie|host|connection|upgrade|expect|te|trailer|transfer-encoding|keep-alive|forwarded|x-forwarded-.*|proxy-.*)$/i;

interface OfOperation {
  readonly around: unknown;
  readonly own: unknown;
  readonly path: string;
  readonly at: readonly string[];
}

interface ReadParameters {
  readonly parameters: readonly ApiParameter[];
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** Reads the parameters of an operation and of the path that it stands in. */
export function parametersOf(
  { around, own, path, at }: OfOperation,
  of: { readonly root: DescriptionPart; readonly schemas: ApiSchemas },
): ReadParameters {
  const parts = new Map<
    string,
    { readonly part: DescriptionPart; readonly at: (string | number)[] }
  >();
  const lists = [
    { list: around, from: at.slice(0, -1) },
    { list: own, from: at },
  ];
  for (const { list, from } of lists) {
    for (const [index, one] of (Array.isArray(list) ? list : []).entries()) {
      const place = [...from, "parameters", index];
      const part = resolved(one, of.root, place);
      parts.set(`${part.in} ${part.name}`, { part, at: place });
    }
  }
  const parameters: ApiParameter[] = [];
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { part, at: place } of parts.values()) {
    const read = readParameter(part, place, Object.keys(properties));
    if (read === undefined) continue;
    parameters.push(read);
    const media = mediaOf(part);
    const schema = of.schemas.convert(media?.schema ?? part.schema ?? { type: "string" }, [
      ...place,
      "schema",
    ]);
    const { description } = part;
    properties[read.member] = typeof description === "string" ? { ...schema, description } : schema;
    if (part.required === true || read.in === "path") required.push(read.member);
  }
  const missing = [...path.matchAll(/\{([^{}]+)\}/g)].find(
    ([, name]) => !parameters.some((one) => one.in === "path" && one.name === name),
  );
  if (missing !== undefined)
    throw new DescriptionFault(`\`${path}\` has no parameter \`${missing[1]}\``, { path: at });
  return { parameters, properties, required };
}

function readParameter(
  part: DescriptionPart,
  path: readonly (string | number)[],
  taken: readonly string[],
): ApiParameter | undefined {
  const { name, in: where, style, explode } = part;
  if (typeof name !== "string" || name === "" || !isPlace(where))
    throw new DescriptionFault("a parameter has no `name`, or no `in` that is known", { path });
  if (where === "header" && OWN_HEADERS.test(name)) return undefined;
  const styles: readonly ParameterStyle[] = STYLES[where];
  const [usual = "simple"] = styles;
  const read = styles.find((one) => one === style) ?? usual;
  if (style !== undefined && read !== style)
    throw new DescriptionFault(`a parameter in \`${where}\` has no style \`${String(style)}\``, {
      path: [...path, "style"],
    });
  return {
    member: taken.includes(name) ? `${name}_${where}` : name,
    name,
    in: where,
    style: read,
    explode: typeof explode === "boolean" ? explode : read === "form",
    ...(mediaOf(part) === undefined ? {} : { isJson: true as const }),
  };
}

function isPlace(where: unknown): where is ApiParameter["in"] {
  return typeof where === "string" && Object.hasOwn(STYLES, where);
}

function mediaOf({ content }: DescriptionPart): DescriptionPart | undefined {
  const [media] = isRecord(content) ? Object.values(content) : [];
  return isRecord(media) ? media : undefined;
}
