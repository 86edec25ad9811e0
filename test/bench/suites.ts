/** Every benchmark by its name. */
import { nearest } from "../../dsl/index.ts";
import { CommandError } from "../../kernel/command-error.ts";
import type { Suite } from "./suite.ts";

const suites: Readonly<Record<string, () => Promise<Suite>>> = {
  language: async () => (await import("./suites/language.ts")).languageSuite,
  engine: async () => (await import("./suites/engine.ts")).engineSuite,
  kernel: async () => (await import("./suites/kernel.ts")).kernelSuite,
  start: async () => (await import("./suites/start.ts")).startSuite,
  traces: async () => (await import("./suites/traces.ts")).tracesSuite,
  agents: async () => (await import("./suites/agents.ts")).agentsSuite,
  memories: async () => (await import("./suites/memories.ts")).memoriesSuite,
  tools: async () => (await import("./suites/tools.ts")).toolsSuite,
  why: async () => (await import("./suites/why.ts")).whySuite,
  scale: async () => (await import("./suites/scale.ts")).scaleSuite,
};

export const suiteNames: readonly string[] = Object.keys(suites);

/** How to load a suite; throws M7101 for a name that is none. */
export function findSuite(name: string): () => Promise<Suite> {
  const load = Object.hasOwn(suites, name) ? suites[name] : undefined;
  if (load !== undefined) return load;
  const meant = nearest(name, suiteNames);
  throw new CommandError("M7101", `there is no benchmark \`${name}\``, {
    hint: meant === undefined ? `there is ${suiteNames.join(", ")}` : `did you mean \`${meant}\`?`,
  });
}
