/** Names the commands that run code of each language. */
import { existsSync } from "node:fs";
import { NODE } from "./bubblewrap.ts";
import type { CodeLanguage } from "./code-blocks.ts";
import type { CodeSandbox } from "./code-limits.ts";

/** The command in front of the name of a file with code. */
export function interpreterOf(language: CodeLanguage, sandbox: CodeSandbox): readonly string[] {
  switch (language) {
    case "javascript":
    // Node takes the types out before it runs the rest.
    case "typescript":
      return [sandbox === "open" ? process.execPath : NODE];
    case "python":
      return ["python3", "-u"];
    case "shell":
      return [existsSync("/bin/bash") ? "bash" : "sh"];
  }
}
