/** Makes the handles of models that a cassette answers for, or records. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { CASSETTE_MODES } from "../../../../dsl/index.ts";
import { RunError } from "../../../failure.ts";
import { createRedactor, secretsOf } from "../../../redaction/redact.ts";
import { withoutForms } from "../../../redaction/secret-forms.ts";
import type { ModelEnvironment, ModelHandle, ModelSettings } from "../model-handle.ts";
import { RunCassettes } from "./cassette-file.ts";
import type { HideSecrets } from "./plain-request.ts";
import { type CassetteTape, playingModel } from "./play.ts";
import { fillingModel, recordingModel } from "./record.ts";

/** `replay` answers what was recorded, `record` asks each time and records, `auto` asks and records what is missing. */
export type CassetteMode = (typeof CASSETTE_MODES)[number];

interface NamedCassette {
  readonly id: string;
  /** Relative to the folder of the environment. */
  readonly path: string;
}

/**
 * The model of `cassette:FILE` with the settings of its declaration. `resolveOf` makes the model that it stands for, which
 * a replay does not need.
 */
export function cassetteHandle(
  named: NamedCassette,
  environment: ModelEnvironment,
  resolveOf: (id: string, environment: ModelEnvironment) => ModelHandle,
): ModelHandle {
  const { settings, ...others } = environment;
  const { mode, of, rest } = cassetteSettings(settings, named.id);
  const asked = rest === undefined ? others : { ...others, settings: rest };
  const model = of === undefined ? undefined : { id: of, resolve: () => resolveOf(of, asked) };
  return handleInMode(mode, tapeAt(named, environment), model);
}

/** A handle whose answers are recorded into a file: the model, its price and its name stay what they are. */
export function recordInto(
  handle: ModelHandle,
  path: string,
  environment: ModelEnvironment,
): ModelHandle {
  return recordedHandle(handle, tapeAt({ id: `cassette:${path}`, path }, environment));
}

/** The model that a cassette stands for. */
export interface ModelBehind {
  readonly id: string;
  resolve(): ModelHandle;
}

/** A handle for a cassette in a mode. Throws M8161 where a replay has no file, M8164 where there is nobody to ask. */
export function handleInMode(
  mode: CassetteMode,
  tape: CassetteTape,
  of: ModelBehind | undefined,
): ModelHandle {
  if (mode === "replay") return playedHandle(of === undefined ? tape : { ...tape, model: of.id });
  if (of === undefined) throw withoutModel(tape.id, mode);
  return mode === "record" ? recordedHandle(of.resolve(), tape) : filledHandle(of, tape);
}

function recordedHandle(of: ModelHandle, tape: CassetteTape): ModelHandle {
  return { ...of, model: recordingModel(of, tape) };
}

/** Its model need not be configured, as long as nothing is missing. */
function filledHandle(of: ModelBehind, tape: CassetteTape): ModelHandle {
  const whole = { ...tape, model: of.id };
  try {
    const handle = of.resolve();
    return { ...handle, model: fillingModel(handle, whole) };
  } catch (thrown) {
    if (!(thrown instanceof RunError)) throw thrown;
    const whyNotAsked = `${thrown.code} ${thrown.message}`;
    const model = fillingModel(undefined, { ...whole, whyNotAsked });
    return { id: of.id, source: "cassette", model };
  }
}

/** The price is that of the first recorded call: limits are estimated by it. Throws M8161 where the file is not there. */
function playedHandle(tape: CassetteTape): ModelHandle {
  const { id, file, model } = tape;
  if (!existsSync(file.path)) throw notThere(file.path);
  const first = file.entries().find(({ call }) => model === undefined || call.model === model);
  const price = first?.call.price;
  return {
    id,
    source: "cassette",
    model: playingModel(tape),
    ...(price === undefined ? {} : { price }),
  };
}

/** The cassette at a path, as a run sees it. */
export function tapeAt({ id, path }: NamedCassette, environment: ModelEnvironment): CassetteTape {
  const { env, folder = process.cwd(), cassettes = new RunCassettes() } = environment;
  return { id, file: cassettes.fileAt(resolve(folder, path)), hide: hideSecrets(env) };
}

/** Hides the secrets of the environment, and what has the form of one. */
export function hideSecrets(env: ModelEnvironment["env"]): HideSecrets {
  const { redactText } = createRedactor(secretsOf(env));
  return (text) => withoutForms(redactText(text), true);
}

// ── settings ────────────────────────────────────────────────────────────────────────────────────

interface CassetteSettings {
  readonly mode: CassetteMode;
  readonly of: string | undefined;
  /** The settings of the model that it stands for. */
  readonly rest: ModelSettings | undefined;
}

function cassetteSettings(settings: ModelSettings | undefined, id: string): CassetteSettings {
  if (settings === undefined) return { mode: "replay", of: undefined, rest: undefined };
  const { mode = "replay", of, ...rest } = settings;
  const known = CASSETTE_MODES.find((one) => one === mode);
  if (known === undefined) {
    throw new RunError("M8164", `\`${id}\` has no mode \`${mode}\``, {
      hint: `its modes are ${CASSETTE_MODES.join(", ")}`,
    });
  }
  return { mode: known, of, rest };
}

function withoutModel(id: string, mode: CassetteMode): RunError {
  return new RunError("M8164", `\`${id}\` with the mode \`${mode}\` has no model to ask`, {
    hint: `name it: \`{ mode: "${mode}", of: "PROVIDER/MODEL" }\``,
  });
}

function notThere(path: string): RunError {
  return new RunError("M8161", `there is no cassette ${path}`, {
    hint: "record one: `madrigal run … --record FILE`, or the mode `record` or `auto`",
  });
}

// ── as objects ──────────────────────────────────────────────────────────────────────────────────

const handles = new WeakMap<LanguageModelV4, ModelHandle>();

/** Remembers the handle of a model that is given as an object. */
export function keepHandle(model: LanguageModelV4, handle: ModelHandle): void {
  handles.set(model, handle);
}

/** The handle of a model that `cassette()` made. */
export function keptHandle(model: LanguageModelV4): ModelHandle | undefined {
  return handles.get(model);
}
