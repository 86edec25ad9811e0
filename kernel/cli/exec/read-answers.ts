/** Reads `--answers FILE`: the answers to questions of cells where nobody sits at the notebook. */
import { readFileSync } from "node:fs";
import { CommandError } from "../../command-error.ts";
import { EXIT } from "../../exit-codes.ts";

/** Gives each answer once; `tell` hears of a question that has none. */
export function readAnswers(
  file: string,
  tell: (text: string) => void,
): (prompt: string) => string | undefined {
  const given = answersIn(file);
  const lastAnswers = new Map<string, string>();
  return (prompt) => {
    const key = Object.keys(given).find((piece) => prompt.includes(piece) && given[piece]?.length);
    const answer = key === undefined ? undefined : given[key]?.shift();
    const last = lastAnswers.get(prompt);
    if (answer !== undefined) lastAnswers.set(prompt, answer);
    else if (last === undefined)
      tell(`${file} has no answer to ${JSON.stringify(prompt)}: the cell is interrupted`);
    else
      tell(
        `${file} has no other answer to ${JSON.stringify(prompt)}, which is asked again after ${JSON.stringify(last)}: the cell is interrupted`,
      );
    return answer;
  };
}

/**
 * Reads the answers of a file, by a part of the question; those of a list are for any question.
 * Throws `CommandError` M7517 for another form.
 */
function answersIn(file: string): Readonly<Record<string, string[]>> {
  const read = readJson(file);
  if (isList(read)) return { "": read.map(String) };
  if (typeof read !== "object" || read === null)
    throw wrong(file, "it is neither a list nor an object");
  const entries = Object.entries(read).map(([piece, value]): [string, string[]] => {
    const list = Array.isArray(value) ? value : [value];
    if (!isList(list)) throw wrong(file, `the answer to ${JSON.stringify(piece)} is no text`);
    return [piece, list.map(String)];
  });
  return Object.fromEntries(entries);
}

function isList(value: unknown): value is readonly (string | number | boolean)[] {
  const isAnswer = (one: unknown) => ["string", "number", "boolean"].includes(typeof one);
  return Array.isArray(value) && value.every(isAnswer);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw wrong(file, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function wrong(file: string, why: string, cause?: unknown): CommandError {
  return new CommandError("M7517", `\`${file}\` holds no answers: ${why}`, {
    hint: 'as in ["Ada", "y"], or { "name": "Ada", "go on": ["y"] }',
    exitCode: EXIT.call,
    cause,
  });
}
