/** A scope file whose `docs` are the real ones, except that the fourth `docs.read` waits on a pipe of the test. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot, temporaryFolder } from "../support/child.ts";

export interface GatedDocs {
  readonly scopeFile: string;
  /** Makes the fourth read wait; without it, nothing does. */
  readonly gate: Readonly<Record<string, string>>;
  /** The files that `docs.read` was asked for, by all processes, in the order of the calls. */
  readonly reads: () => string[];
}

/** What the process says on stderr when the fourth read waits. */
export const fourthRead = "the fourth read has begun";

export function gatedDocs(): GatedDocs {
  const folder = temporaryFolder();
  const pipe = join(folder, "pipe");
  const scopeFile = join(folder, "scope.ts");
  const calls = join(folder, "calls");
  execFileSync("mkfifo", [pipe]);
  writeFileSync(calls, "");
  writeFileSync(scopeFile, scopeText(calls));
  return {
    scopeFile,
    gate: { TEST_PIPE: pipe },
    reads: () =>
      readFileSync(calls, "utf8")
        .split("\n")
        .filter((line) => line !== ""),
  };
}

function scopeText(calls: string): string {
  const runtime = JSON.stringify(pathToFileURL(join(projectRoot, "runtime", "index.ts")).href);
  return `
    import { appendFileSync } from "node:fs";
    import { readFile } from "node:fs/promises";
    import { createDocsTools, tool } from ${runtime};

    const real = createDocsTools({ root: process.env.MADRIGAL_DOCS });
    const pipe = process.env.TEST_PIPE;
    let count = 0;

    async function read(input) {
      appendFileSync(${JSON.stringify(calls)}, input.file + "\\n");
      count += 1;
      if (count === 4 && pipe !== undefined) {
        process.stderr.write("${fourthRead}\\n");
        await readFile(pipe);
      }
      return real.read(input);
    }

    const declared = real.read[Symbol.for("madrigal.tool")];
    export const docs = { ...real, read: tool(read, declared) };
  `;
}
