/** Makes a model of a cassette for programs in TypeScript. */
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { resolveModel } from "../model.ts";
import type { ModelChoice } from "../model-handle.ts";
import {
  type CassetteMode,
  handleInMode,
  keepHandle,
  type ModelBehind,
  tapeAt,
} from "./cassette-handle.ts";
import { shownContent } from "./nearest-request.ts";

export interface CassetteOptions {
  /** `replay` by default. */
  readonly mode?: CassetteMode;
  /** The model that `record` and `auto` ask; of a replay, the one whose answers are taken. */
  readonly of?: ModelChoice;
}

/** A recorded answer that was not asked for. */
export interface UnusedAnswer {
  /** From 1. */
  readonly line: number;
  readonly model: string;
  /** The last message of the request. */
  readonly asked: string;
}

/** A cassette as a model: for `run({ models })` and wherever the AI SDK takes one. */
export interface Cassette extends LanguageModelV4 {
  /** The answers that nobody has asked for since it was made. */
  unused(): readonly UnusedAnswer[];
}

/**
 * The recorded calls of a file, relative to the working folder, as a model. Throws M8161 where a replay has no file, and
 * M8164 where there is nobody to ask.
 */
export function cassette(file: string | URL, options: CassetteOptions = {}): Cassette {
  const path = typeof file === "string" ? resolve(file) : fileURLToPath(file);
  const { mode = "replay", of } = options;
  const { env } = process;
  const tape = tapeAt({ id: `cassette:${relative(process.cwd(), path)}`, path }, { env });
  const handle = handleInMode(mode, tape, of === undefined ? undefined : modelBehind(of));
  const model: Cassette = {
    ...handle.model,
    unused: () =>
      tape.file.unused().map(({ line, call: { model, request } }) => {
        const last = request.messages.at(-1);
        return { line, model, asked: last === undefined ? "" : shownContent(last) };
      }),
  };
  keepHandle(model, handle);
  return model;
}

function modelBehind(of: ModelChoice): ModelBehind {
  const environment = { env: process.env };
  if (typeof of === "string") return { id: of, resolve: () => resolveModel(of, environment) };
  const handle = resolveModel(of, environment);
  return { id: handle.id, resolve: () => handle };
}
