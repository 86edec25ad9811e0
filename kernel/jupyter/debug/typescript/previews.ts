/** Writes values of the inspector as one line of text. */
import type { Runtime } from "node:inspector";

const TEXT_MAX = 200;

/** One line, cut where it is long. */
export function previewOf(value: Runtime.RemoteObject): string {
  return cut(wholeText(value));
}

/** The same in full, for what was asked for by itself. */
export function wholeText({
  type,
  subtype,
  value,
  unserializableValue,
  ...of
}: Runtime.RemoteObject): string {
  if (type === "string") return JSON.stringify(value);
  if (unserializableValue !== undefined) return unserializableValue;
  if (type === "undefined") return "undefined";
  if (type === "object" && subtype === "null") return "null";
  if (type === "function") return functionText(of.description ?? "function");
  if (type === "object" && subtype === "error")
    return (of.description ?? "Error").split("\n")[0] ?? "";
  if (of.preview !== undefined) return objectText(of.preview);
  return of.description ?? String(value);
}

/** `Map(3)`, `Task`, `number`: as the inspector names it, where it has a name. */
export function typeOf({ type, subtype, className, description }: Runtime.RemoteObject): string {
  if (type !== "object") return type;
  if (subtype === "null") return "null";
  return subtype === "error" || description === undefined ? (className ?? type) : cut(description);
}

function objectText({
  subtype,
  description,
  properties,
  entries,
  overflow,
}: Runtime.ObjectPreview): string {
  const more = overflow ? ["…"] : [];
  if (entries !== undefined) {
    const pairs = entries.map(({ key, value }) =>
      key === undefined ? partText(value) : `${partText(key)} => ${partText(value)}`,
    );
    return `${description} {${[...pairs, ...more].join(", ")}}`;
  }
  if (["date", "regexp", "promise", "proxy"].includes(subtype ?? "")) return description ?? "";
  const isList = subtype === "array" || subtype === "typedarray";
  const parts = properties.map((one) =>
    isList ? propertyText(one) : `${one.name}: ${propertyText(one)}`,
  );
  const text = [...parts, ...more].join(", ");
  if (isList) return `${description} [${text}]`;
  return `${description === "Object" ? "" : `${description} `}{${text}}`;
}

function partText(preview: Runtime.ObjectPreview): string {
  if (preview.type === "string") return JSON.stringify(preview.description ?? "");
  return preview.type === "object"
    ? (preview.description ?? "…")
    : (preview.description ?? preview.type);
}

function propertyText({ type, value = "…" }: Runtime.PropertyPreview): string {
  if (type === "string") return JSON.stringify(value);
  return type === "function" ? "ƒ" : value;
}

function functionText(source: string): string {
  const line = source.split("\n")[0] ?? "";
  return source.includes("\n") ? `${line} …` : line;
}

function cut(text: string): string {
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}… (${text.length} characters)`;
}
