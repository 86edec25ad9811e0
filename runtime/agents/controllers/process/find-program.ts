/** Finds the program of a strong agent on the PATH that the agent will have. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { FailureError } from "../../../failure.ts";

/** Returns the path of a program; undefined where there is none that can be started. */
export function findProgram(program: string, path: string | undefined): string | undefined {
  if (isAbsolute(program)) return isProgram(program) ? program : undefined;
  if (program.includes("/")) return undefined;
  return (path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, program))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Makes the failure of an agent whose program is not installed. */
export function missingProgram(program: string, agent: string, install: string): FailureError {
  return new FailureError({
    class: "tool",
    code: "M8561",
    message: `\`${agent}\` needs the program \`${program}\`, and there is none on the PATH`,
    hint: `${install}; \`madrigal doctor\` says which agents are there`,
  });
}
