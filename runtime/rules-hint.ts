/** Says which model to name where an answer by `rules` did not fit: programs of the library have rules until then. */
import type { Failure } from "./failure.ts";

/** The answers of a model that do not fit. */
const UNFIT_ANSWERS: readonly string[] = ["M5012", "M5013"];

/** The failure as people see it; `models` are the ids of the run's models by alias. */
export function withRulesHint(failure: Failure, models: Readonly<Record<string, string>>): Failure {
  const names = Object.keys(models).filter((name) => models[name] === "rules");
  const [first] = names;
  if (first === undefined || failure.hint !== undefined) return failure;
  if (!UNFIT_ANSWERS.includes(failure.code)) return failure;
  const are = `${names.map((name) => `\`${name}\``).join(", ")} ${names.length === 1 ? "is" : "are"}`;
  const key = /^\w+$/.test(first) ? first : JSON.stringify(first);
  const hint = `${are} \`rules\`, which answers by rules and is no model: \`{ models: { ${key}: "PROVIDER/MODEL" } }\` behind the input names one, as does \`--model ${first}=PROVIDER/MODEL\``;
  return { ...failure, hint };
}
