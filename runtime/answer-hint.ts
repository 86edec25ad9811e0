/** Says what to do where an answer did not fit: by `rules`, which programs of the library have until then, which model to name. */
import type { Failure } from "./failure.ts";

/** The answers of a model that do not fit. */
const UNFIT_ANSWERS: readonly string[] = ["M5012", "M5013"];

const OTHERWISE =
  "say in the prompt what must hold, name a stronger model, or write where to go on: `node -> other on error`";

/** The failure as people see it; `models` are the ids of the run's models by alias. */
export function withAnswerHint(
  failure: Failure,
  models: Readonly<Record<string, string>>,
): Failure {
  if (failure.hint !== undefined || !UNFIT_ANSWERS.includes(failure.code)) return failure;
  const names = Object.keys(models).filter((name) => models[name] === "rules");
  const [first] = names;
  if (first === undefined) return { ...failure, hint: OTHERWISE };
  const are = `${names.map((name) => `\`${name}\``).join(", ")} ${names.length === 1 ? "is" : "are"}`;
  const key = /^\w+$/.test(first) ? first : JSON.stringify(first);
  const hint = `${are} \`rules\`, which answers by rules and is no model: \`{ models: { ${key}: "PROVIDER/MODEL" } }\` behind the input names one, as does \`--model ${first}=PROVIDER/MODEL\``;
  return { ...failure, hint };
}
