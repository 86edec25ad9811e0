/** Functions that come with the language: `every daily("09:00", "Europe/Paris")`. */
export const BUILT_IN_FUNCTIONS: ReadonlySet<string> = new Set(["daily"]);

/** Whether what is called is one of them. */
export function isBuiltIn(callee: object): boolean {
  if (!("kind" in callee) || callee.kind !== "name" || !("of" in callee)) return false;
  const name = "name" in callee ? callee.name : undefined;
  return callee.of === "scope" && typeof name === "string" && BUILT_IN_FUNCTIONS.has(name);
}
