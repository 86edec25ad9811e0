/** Lists the controllers of strong agents that come with Madrigal, by the names that programs use, with their options. */

/** The form of an option's value. */
export type ControllerOptionKind =
  | "text"
  | "texts"
  | "number"
  | "isolation"
  | "variables"
  | "source";

/** Every option that some controller has. */
export const CONTROLLER_OPTIONS = {
  cwd: "text",
  isolate: "isolation",
  model: "text",
  mode: "text",
  tools: "texts",
  allow: "texts",
  deny: "texts",
  env: "texts",
  set: "variables",
  command: "texts",
  source: "source",
  pool: "number",
  timeoutMs: "number",
  idleMs: "number",
  turns: "number",
} as const satisfies Readonly<Record<string, ControllerOptionKind>>;

export type ControllerOption = keyof typeof CONTROLLER_OPTIONS;

/** The options that every one of them has. */
const OF_ALL: readonly ControllerOption[] = [
  ...(["cwd", "isolate", "env", "set", "command", "source"] as const),
  ...(["pool", "timeoutMs", "idleMs"] as const),
];

/** Those that are programs of this machine, with their options. */
const PROGRAMS: Readonly<Record<string, readonly ControllerOption[]>> = {
  claude_code: [...OF_ALL, "model", "mode", "tools", "allow", "deny", "turns"],
  codex: [...OF_ALL, "model", "mode"],
  acp: [...OF_ALL, "model", "mode"],
  openclaw: [...OF_ALL, "model", "mode"],
};

/** Returns whether a controller of this name comes with Madrigal; `a2a` is an agent somewhere else. */
export function isBuiltInController(name: string): boolean {
  return name === "a2a" || Object.hasOwn(PROGRAMS, name);
}

/** The options of a controller that is a program of this machine; undefined for any other. */
export function controllerOptions(name: string): readonly ControllerOption[] | undefined {
  return Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
}
