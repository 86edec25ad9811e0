/** Functions that come with the language: `every daily("09:00", "Europe/Paris")`. */
export const BUILT_IN_FUNCTIONS: ReadonlySet<string> = new Set(["daily"]);

/** Groups of functions that the runtime always has: `planning.read(text)`. A scope may have others of the name. */
export const BUILT_IN_GROUPS: ReadonlySet<string> = new Set(["planning"]);

/** Tools that every program has: what an agent that lists one may do to its own run, and to the state. */
export const BUILT_IN_TOOLS: readonly string[] = [
  ...["run.modify", "run.pause", "run.steer"],
  ...["state.list", "state.read", "state.write"],
  "traces.query",
];

/** The tools that each memory of a program is, by name, with what they touch: `notes.recall`. */
export const MEMORY_TOOLS = {
  recall: "none",
  store: "workspace",
  forget: "workspace",
} as const satisfies Readonly<Record<string, "none" | "workspace">>;

/** Returns whether the callee is a built-in function. */
export function isBuiltIn(callee: object): boolean {
  if (!("kind" in callee) || callee.kind !== "name" || !("of" in callee)) return false;
  const name = "name" in callee ? callee.name : undefined;
  return callee.of === "scope" && typeof name === "string" && BUILT_IN_FUNCTIONS.has(name);
}
