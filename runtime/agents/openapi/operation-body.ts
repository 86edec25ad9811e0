/** Reads the body that an operation is sent with: its schema, and the form that it is sent in. */
import { isRecord, type JsonSchema } from "../../../dsl/index.ts";
import type { ApiSchemas } from "./api-schema.ts";
import { type DescriptionPart, resolved } from "./read-description.ts";

/** The body of an operation. */
export interface ApiBody {
  /** The member of the input. */
  readonly member: string;
  readonly media: string;
  readonly form: "json" | "form" | "multipart" | "text" | "bytes";
  /** The fields of a multipart body that are files, whose bytes the input has as base64. */
  readonly files?: readonly string[];
}

interface BodyAt {
  readonly root: DescriptionPart;
  readonly schemas: ApiSchemas;
  readonly at: readonly string[];
  readonly taken: readonly string[];
}

const FORMS: readonly (readonly [RegExp, ApiBody["form"]])[] = [
  [/^[\w.+-]+\/(?:[\w.-]+\+)?json\b/i, "json"],
  [/^application\/x-www-form-urlencoded\b/i, "form"],
  [/^multipart\/form-data\b/i, "multipart"],
  [/^text\/|[/+]xml\b/i, "text"],
];

/** Returns the body of an operation in the form that is simplest for a model; undefined where it has none. */
export function readBody(
  requestBody: unknown,
  { root, schemas, at, taken }: BodyAt,
):
  | { readonly plan: ApiBody; readonly schema: JsonSchema; readonly isRequired: boolean }
  | undefined {
  if (requestBody === undefined) return undefined;
  const path = [...at, "requestBody"];
  const { content, required, description } = resolved(requestBody, root, path);
  const found = Object.entries(isRecord(content) ? content : {})
    .map(([media, part]) => ({ media, part, form: formOf(media) }))
    .toSorted((a, b) => ORDER.indexOf(a.form) - ORDER.indexOf(b.form))[0];
  if (found === undefined) return undefined;
  const { media, part, form } = found;
  const schemaOfPart = isRecord(part) ? part.schema : undefined;
  // The fields of a form are looked at here.
  const written =
    form === "multipart" && schemaOfPart !== undefined
      ? resolved(schemaOfPart, root, path)
      : schemaOfPart;
  const schema = schemas.convert(written, [...path, "content", media, "schema"]);
  const member = taken.includes("body") ? "request_body" : "body";
  const words = typeof description === "string" ? { description } : {};
  const isRequired = required === true;
  if (form === "text")
    return { plan: { member, media, form }, schema: { type: "string", ...words }, isRequired };
  if (form === "bytes") {
    const bytes = { type: "string", contentEncoding: "base64", ...words };
    return {
      plan: { member, media: media.includes("*") ? "application/octet-stream" : media, form },
      schema: bytes,
      isRequired,
    };
  }
  const files = form === "multipart" ? filesOf(written, root, path) : [];
  return {
    plan: { member, media, form, ...(files.length === 0 ? {} : { files }) },
    schema: { ...withFiles(schema, files), ...words },
    isRequired,
  };
}

const ORDER: readonly ApiBody["form"][] = ["json", "form", "multipart", "text", "bytes"];

function formOf(media: string): ApiBody["form"] {
  return FORMS.find(([pattern]) => pattern.test(media))?.[1] ?? "bytes";
}

/** The fields that hold bytes: `format: binary` in 3.0, a media type without an encoding in 3.1. */
function filesOf(
  schema: unknown,
  root: DescriptionPart,
  path: readonly string[],
): readonly string[] {
  if (!isRecord(schema)) return [];
  const { properties } = resolved(schema, root, path);
  return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, one]) => {
    const { format, contentMediaType, contentEncoding } = resolved(one, root, path);
    const isFile =
      format === "binary" || (contentMediaType !== undefined && contentEncoding === undefined);
    return isFile ? [name] : [];
  });
}

function withFiles(schema: JsonSchema, files: readonly string[]): JsonSchema {
  if (files.length === 0 || !isRecord(schema.properties)) return schema;
  const encoded = files.map((name) => [
    name,
    { type: "string", contentEncoding: "base64", description: "the bytes of a file, as base64" },
  ]);
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(encoded) } };
}
