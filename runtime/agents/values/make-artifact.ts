/** Checks what a function or a tool gives to be kept, and makes an artifact of it. */
import { createHash } from "node:crypto";
import { nearest } from "../../../dsl/index.ts";
import { ARTIFACT_KINDS, type ArtifactOptions, type Made } from "../../artifact.ts";
import { FailureError } from "../../failure.ts";
import { inferred } from "./infer-schema.ts";
import { toJson } from "./json.ts";

/** Stores bytes; where a run is kept nowhere, nobody does. */
export type KeepArtifact = (
  bytes: Uint8Array,
  info: { readonly kind: string; readonly mime: string; readonly producer?: string },
) => { readonly hash: string; readonly bytes: number };

/** Keeps what is given, at once: before the commit nobody knows of it. Throws M5330 where it can't be kept so. */
export function makeArtifact(
  options: ArtifactOptions,
  by: string,
  keep: KeepArtifact = hashed,
): Made {
  const { name, kind, path } = options;
  if (typeof name !== "string" || name === "") throw refused(by, "it has no `name`");
  if (!ARTIFACT_KINDS.includes(kind)) throw refused(by, kindFault(kind));
  const { bytes, mime: usual, value } = bytesOf(options, by);
  const mime = options.mime ?? mimeOf(path ?? name) ?? usual;
  const kept = keep(bytes, { kind, mime, producer: by });
  return {
    id: `${name}@${kept.hash.slice(0, 12)}`,
    name,
    kind,
    mime,
    ...(path === undefined ? {} : { path }),
    ...kept,
    ...(value === undefined ? {} : inferred(value, mime)),
  };
}

const hashed: KeepArtifact = (bytes) => ({
  hash: createHash("sha256").update(bytes).digest("hex"),
  bytes: bytes.length,
});

function bytesOf({ data, name }: ArtifactOptions, by: string) {
  if (data instanceof Uint8Array)
    return { bytes: data, mime: "application/octet-stream", value: undefined };
  if (typeof data === "string")
    return { bytes: encoder.encode(data), mime: "text/plain", value: data };
  const { value, faults } = toJson(data);
  const [first] = faults;
  if (first !== undefined) throw refused(by, `the data of \`${name}\` is not JSON: ${first.found}`);
  const text = JSON.stringify(value);
  return { bytes: encoder.encode(text), mime: "application/json", value: { value } };
}

const encoder = new TextEncoder();

const MIMES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  txt: "text/plain",
  log: "text/plain",
  html: "text/html",
  css: "text/css",
  csv: "text/csv",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
  patch: "text/x-diff",
  diff: "text/x-diff",
  js: "text/javascript",
  ts: "text/typescript",
  py: "text/x-python",
};

function mimeOf(path: string): string | undefined {
  const ending = /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase();
  return ending === undefined ? undefined : MIMES[ending];
}

function kindFault(kind: unknown): string {
  const meant = typeof kind === "string" ? nearest(kind, [...ARTIFACT_KINDS]) : undefined;
  const did = meant === undefined ? "" : `; did you mean \`${meant}\`?`;
  return `the kind ${JSON.stringify(kind)} is none of ${ARTIFACT_KINDS.join(", ")}${did}`;
}

function refused(by: string, why: string): FailureError {
  return new FailureError({
    class: "tool",
    code: "M5330",
    message: `the artifact of \`${by}\` can't be kept: ${why}`,
    hint: 'give `{ name, kind, data }`, with `data` a text, bytes or plain JSON: `ctx.artifact({ name: "report.md", kind: "report", data: text })`',
  });
}
