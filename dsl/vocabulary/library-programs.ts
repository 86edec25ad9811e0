/** Names the programs that come with Madrigal, and says which paths of imports lead to programs. */

/** Every graph of the library is imported from here by its name; `madrigal/library/eko` is one file of it. */
export const LIBRARY = "madrigal/library";

/** The graph that each file of the library is there for, with the file's name. */
export const LIBRARY_GRAPHS: Readonly<Record<string, string>> = {
  Chat: "chat",
  Coder: "coder",
  Debate: "debate",
  DeepSearch: "deep-search",
  Eko: "eko",
  FileSurfer: "file-surfer",
  Learn: "learn",
  Magentic: "magentic",
  MapReduce: "map-reduce",
  Persona: "persona",
  PlanCodeReview: "plan-code-review",
  PlanWorkReduce: "plan-work-reduce",
  ResearchCritique: "research-critique",
  RoundRobin: "round-robin",
  Routed: "routed",
  Sentinel: "sentinel",
  WebSurfer: "web-surfer",
};

/** Returns whether the path of an import is that of a program, and not of TypeScript. */
export function isProgram(from: string): boolean {
  return from.endsWith(".madrigal") || from === LIBRARY || from.startsWith(`${LIBRARY}/`);
}

/** Returns the file of the library that an import means, as `eko.madrigal`; undefined where it means another one. */
export function libraryFile(from: string): string | undefined {
  if (!from.startsWith(`${LIBRARY}/`)) return undefined;
  const name = from.slice(LIBRARY.length + 1);
  return name.endsWith(".madrigal") ? name : `${name}.madrigal`;
}
