/** Chooses the model of an alias: from the run's options, the command line, or the program. */
import type { ModelChoice } from "./model-handle.ts";

/** Who may say which model runs, strongest first after the run itself. */
export interface ModelChoices {
  /** `run({ models })`: by alias. */
  readonly run?: Readonly<Record<string, ModelChoice>>;
  /** `--model ALIAS=ID`: by alias. */
  readonly cli?: Readonly<Record<string, string>>;
  /** For `MADRIGAL_MODEL`, which is for every alias. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The model that runs for `alias`: the run's > the command line's > MADRIGAL_MODEL > the declared one. */
export function chooseModelId(
  alias: string,
  declaredId: string,
  { run = {}, cli = {}, env = {} }: ModelChoices,
): ModelChoice {
  const forAll = env.MADRIGAL_MODEL?.trim();
  return (
    own(run, alias) ??
    own(cli, alias) ??
    (forAll === undefined || forAll === "" ? declaredId : forAll)
  );
}

// An alias may be called `constructor`.
function own<T>(choices: Readonly<Record<string, T>>, alias: string): T | undefined {
  return Object.hasOwn(choices, alias) ? choices[alias] : undefined;
}
