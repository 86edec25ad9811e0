/** Adds a hint to errors of TypeScript whose message alone leaves a newcomer at a loss. */
import type { Source } from "../../../dsl/index.ts";
import type { TypeDiagnostic } from "../../types/service.ts";
import { foreignLineHint } from "./foreign-magic.ts";

export function typeHint(diagnostic: TypeDiagnostic, source: Source): string | undefined {
  const line = source.text.split("\n")[diagnostic.line - 1] ?? "";
  return (
    foreignLineHint(line) ??
    awaitHint(diagnostic, line) ??
    packageHint(diagnostic) ??
    nameHint(diagnostic)
  );
}

/** Only of packages: a file that is not there is plain. */
function packageHint({ code, message }: TypeDiagnostic): string | undefined {
  const name = /^Cannot find module '((?:@[^/']+\/)?[^./'][^/']*)/.exec(message)?.[1];
  if (code !== "TS2307" || name === undefined || name.includes(":")) return undefined;
  return `run \`npm install ${name}\` in ${process.cwd()}, then run the cell again`;
}

/** Nearly always, a promise that is where its value should be was meant to be awaited. */
function awaitHint({ code, message, column }: TypeDiagnostic, line: string): string | undefined {
  const member = /^Property '([^']+)' does not exist on type 'Promise</.exec(message)?.[1];
  if (code === "TS2339" && member !== undefined) {
    const before = line.slice(0, column - 1);
    const promise = /([\p{L}_$][\p{L}\p{N}_$.]*)\.$/u.exec(before)?.[1];
    return promise === undefined
      ? `await the promise first: \`(await …).${member}\``
      : `await it first: \`(await ${promise}).${member}\``;
  }
  if (/^(?:Type|Argument of type) 'Promise</.test(message)) return "await the promise first";
  return undefined;
}

/** Returns the hint about a name that is not declared: an import or an earlier cell may be missing. */
function nameHint({ code, message }: TypeDiagnostic): string | undefined {
  const name = /^Cannot find name '([^']+)'/.exec(message)?.[1];
  // For a misspelled name the compiler itself suggests the right one.
  if (name === undefined || (code !== "TS2304" && !OURS.has(name))) return undefined;
  const from = OURS.has(name) ? "madrigal" : NODE_MODULES.find((one) => isExported(one, name));
  if (from !== undefined) return `\`import { ${name} } from "${from}"\``;
  return `no cell that has run declares \`${name}\`: run the cell that does, or check the spelling`;
}

/** The names of "madrigal" that cells use most; a test compares them with its exports. */
export const OURS: ReadonlySet<string> = new Set(
  "button cassette chart checkbox clear close comm command compile confirm costByModel createDocsTools date deltas display dropdown failures flame form graph html image input lanes latencies latencyBoxes md messageFlow number parallelism pickRows plot progress prompt report rules runs scripted select sentinelChecks slider sql stateDiff stateSize svg text tokensByAgent tokensByModel tool toolFailures trajectories waterfall".split(
    " ",
  ),
);

/** Those that wait by promises stand before those that block. */
const NODE_MODULES = [
  "node:fs/promises",
  "node:fs",
  "node:path",
  "node:os",
  "node:util",
  "node:url",
  "node:crypto",
  "node:child_process",
  "node:events",
];

function isExported(module: string, name: string): boolean {
  return Object.hasOwn(process.getBuiltinModule(module) ?? {}, name);
}
