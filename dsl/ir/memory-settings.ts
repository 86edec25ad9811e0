/** Reads the settings of a memory. */
import { readModelId } from "../vocabulary/model-ids.ts";
import type { MemoryIr } from "./ir.ts";
import type { ExprIr } from "./ir-expression.ts";

export interface MemorySettings {
  /** The time, in milliseconds, for which an entry is kept. */
  readonly keepMs?: number;
  /** A person approves each entry before it is recalled. */
  readonly review?: boolean;
  /** The least share of a query, from 0 to 1, that an entry must meet. */
  readonly min?: number;
  /** The embedding model: a name of the program, or an id. With it entries are found by their meaning, too. */
  readonly embed?: string;
}

/** The settings, and for each the kind of value that it takes. */
export const MEMORY_SETTINGS: Readonly<Record<"keep" | "review" | "min" | "embed", string>> = {
  keep: "a time, as `keep: 30d`",
  review: "`true` or `false`",
  min: "a number from 0 to 1",
  embed: 'a model of the file, or the id of one, as `embed: "openai/text-embedding-3-small"`',
};

/** The settings of a memory; what is not one is left out, and the check has said so. */
export function memorySettings({ options }: Pick<MemoryIr, "options">): MemorySettings {
  if (options?.kind !== "object") return {};
  return Object.assign({}, ...options.entries.map(({ key, value }) => memorySetting(key, value)));
}

/** One setting; undefined where there is none of this name, or its value is of another kind. */
export function memorySetting(key: string, value: ExprIr): MemorySettings | undefined {
  const plain = value.kind === "literal" ? value.value : undefined;
  if (key === "keep" && value.kind === "duration") return { keepMs: value.ms };
  if (key === "review" && typeof plain === "boolean") return { review: plain };
  if (key === "embed") return embedded(value);
  const isShare = typeof plain === "number" && plain >= 0 && plain <= 1;
  return key === "min" && isShare ? { min: plain } : undefined;
}

function embedded(value: ExprIr): MemorySettings | undefined {
  if (value.kind === "name") return value.of === "model" ? { embed: value.name } : undefined;
  const id = value.kind === "literal" ? value.value : undefined;
  return typeof id === "string" && readModelId(id).kind !== "unknown" ? { embed: id } : undefined;
}
