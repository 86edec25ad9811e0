/** Puts what came of code into the results of its tools: exit codes, outputs, files, and the limits that held. */
import type { CodeLimits, CodeSandbox } from "./code-limits.ts";
import type { ExecutedCode, ProducedFile } from "./execute-code.ts";

/** The facts that every result of code has. */
interface CodeFacts {
  /** 0 where all went well; 124 where the time was up; 128 and its number where a signal ended it. */
  readonly exitCode: number;
  /** The files that the code has made or changed, each an artifact of the run. */
  readonly files: readonly ProducedFile[];
  /** Notes on cut outputs, and the reason for which the code was stopped. */
  readonly notes: readonly string[];
  readonly sandbox: CodeSandbox;
  readonly limits: CodeLimits;
}

/** The result of one piece of code. */
export interface CodeResult extends CodeFacts {
  readonly stdout: string;
  readonly stderr: string;
}

/** The results of the blocks of a text, as one. */
export interface BlocksResult extends CodeFacts {
  /** The number of blocks in the text, and of those that were run: none behind the first that failed. */
  readonly blocks: number;
  readonly ran: number;
  /** The exit codes and outputs in words. */
  readonly text: string;
}

/** Returns the result of a call with one piece of code. */
export function resultOf(executed: ExecutedCode): CodeResult {
  const [{ stdout, stderr } = { stdout: "", stderr: "" }] = executed.ended;
  return { ...factsOf(executed), stdout, stderr };
}

/** Returns the result of a call with the blocks of a text. */
export function blocksResultOf(executed: ExecutedCode, blocks: number): BlocksResult {
  const { ended, files } = executed;
  const parts = ended.map(({ language, exitCode, stdout, stderr, notes }, at) => {
    const output = [stdout, stderr].map((text) => text.trimEnd()).filter((text) => text !== "");
    const name = `Block ${at + 1} of ${blocks} (${language})`;
    const end = `ended with exit code ${exitCode}`;
    const head = output.length === 0 ? `${name} ${end} and wrote nothing.` : `${name} ${end}:`;
    return [head, ...output, ...notes.map((note) => `[${note}]`)].join("\n");
  });
  const written = files.map(({ path, bytes }) => `${path} (${bytes} bytes)`).join(", ");
  const text = [
    ...(blocks === 0 ? ["There is no block of code to run."] : parts),
    ...(written === "" ? [] : [`Files: ${written}`]),
  ].join("\n\n");
  return { ...factsOf(executed), blocks, ran: ended.length, text };
}

function factsOf({ ended, files, notes, sandbox, limits }: ExecutedCode): CodeFacts {
  return {
    exitCode: ended.at(-1)?.exitCode ?? 0,
    files,
    notes: [...ended.flatMap((one) => one.notes), ...notes],
    sandbox,
    limits,
  };
}
