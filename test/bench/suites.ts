/** Every benchmark by its name: where it is, or which issue brings it. */
import { nearest } from "../../dsl/index.ts";
import { CommandError } from "../../kernel/command-error.ts";
import type { Suite } from "./suite.ts";

type Entry =
  | { readonly kind: "built"; readonly load: () => Promise<Suite> }
  | { readonly kind: "to come"; readonly from: string };

const suites: Readonly<Record<string, Entry>> = {
  language: {
    kind: "built",
    load: async () => (await import("./suites/language.ts")).languageSuite,
  },
  engine: { kind: "built", load: async () => (await import("./suites/engine.ts")).engineSuite },
  kernel: { kind: "built", load: async () => (await import("./suites/kernel.ts")).kernelSuite },
  start: { kind: "built", load: async () => (await import("./suites/start.ts")).startSuite },
  traces: { kind: "built", load: async () => (await import("./suites/traces.ts")).tracesSuite },
  agents: { kind: "to come", from: "a later issue" },
};

export const suiteNames: readonly string[] = Object.keys(suites);

/** How to load a suite; throws M7101 for a name that is none and M7105 for one that is still to come. */
export function findSuite(name: string): () => Promise<Suite> {
  const entry = Object.hasOwn(suites, name) ? suites[name] : undefined;
  if (entry === undefined) {
    const meant = nearest(name, suiteNames);
    throw new CommandError("M7101", `there is no benchmark \`${name}\``, {
      hint:
        meant === undefined ? `there is ${suiteNames.join(", ")}` : `did you mean \`${meant}\`?`,
    });
  }
  if (entry.kind === "built") return entry.load;
  throw new CommandError("M7105", `the benchmark \`${name}\` is not built yet`, {
    hint: `${entry.from} brings it; \`npm run bench -- kernel\` is there`,
  });
}
