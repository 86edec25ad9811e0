/** Describes artifacts: bytes that node runs make, stored under their hash and named by the commit of the node run. */

import type { JsonSchema } from "../dsl/index.ts";

export const ARTIFACT_KINDS = [
  ...(["file", "patch", "report", "code", "chart", "image", "search", "log"] as const),
  "other",
] as const;

export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

/** Options of an artifact that a function or tool makes. */
export interface ArtifactOptions {
  readonly name: string;
  readonly kind: ArtifactKind;
  /** A text, bytes, or a value that is kept as JSON. */
  readonly data: unknown;
  /** If not said: what the path, or the name, ends with tells; for a value JSON. */
  readonly mime?: string;
  /** The path of the artifact in a workspace. */
  readonly path?: string;
}

/** A result that an effect has stored; it becomes an artifact of the run with the commit of its attempt. */
export interface Made {
  /** `NAME@HASH`, shortened: the same name and content is the same artifact. */
  readonly id: string;
  readonly name: string;
  readonly kind: ArtifactKind;
  readonly mime: string;
  readonly path?: string;
  readonly hash: string;
  readonly bytes: number;
  /** Of JSON and CSV: how many items or rows it has, and what they are like. */
  readonly count?: number;
  readonly schema?: JsonSchema;
}

/** An artifact of a run. */
export interface Artifact extends Made {
  /** The node that made it, and its node run. */
  readonly producer: string;
  readonly nodeRun: number;
  /** The index of the item for which it was made. */
  readonly item?: number;
}
