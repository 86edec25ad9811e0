/** Reads what a program says of a strong agent: `controller claude_code(cwd: "app", isolate: "worktree")`. */
import {
  CONTROLLER_OPTIONS,
  type ControllerOption,
  type ControllerOptionKind,
  controllerOptions,
  isRecord,
  nearest,
} from "../../../../dsl/index.ts";
import { RunError } from "../../../failure.ts";
import type { FileIsolation } from "../../files/isolation/isolated-folder.ts";

/** The options of a strong agent. */
export interface StrongAgentOptions {
  /** The folder that it works in, from the program's file; that folder if not said. */
  readonly cwd?: string;
  /** A worktree of git, or a copy, in which it works; a person is asked to take what it changed. */
  readonly isolate?: FileIsolation;
  readonly model?: string;
  /** The calls that it makes without asking, in its own words. */
  readonly mode?: string;
  /** Its tools; all if not said. */
  readonly tools?: readonly string[];
  /** Calls that it need not ask about, and those that it may not make, in its own words. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Names of variables that it gets beside those that every program needs. */
  readonly env?: readonly string[];
  /** Variables with their values. */
  readonly set?: Readonly<Record<string, string>>;
  /** The program with arguments, in the place of the usual one. */
  readonly command?: readonly string[];
  /** The origin of what it says, where `command` is a program that plays an agent and asks no model. */
  readonly source?: "scripted" | "cassette";
  /** The most of its processes at the same time in this process; 4 if not said. */
  readonly pool?: number;
  /** The longest turn, and the longest silence in it, in milliseconds. A person's time to answer does not count. */
  readonly timeoutMs?: number;
  readonly idleMs?: number;
  /** The most model calls of a turn. */
  readonly turns?: number;
}

const WORDS: Readonly<Record<ControllerOptionKind, string>> = {
  text: "a text",
  texts: "a list of texts",
  number: "a number above 0",
  isolation: '"worktree" or "copy"',
  variables: "an object of texts",
  source: '"scripted" or "cassette"',
};

/** Reads the options of an agent. Throws M4116 for one that it does not have, or of another kind. */
export function readAgentOptions(agent: string, given: unknown): StrongAgentOptions {
  if (given === undefined) return {};
  if (!isRecord(given))
    throw wrong(agent, "takes its options by their names", `\`${agent}(cwd: "app")\``);
  const names = controllerOptions(agent) ?? [];
  for (const [name, value] of Object.entries(given)) {
    if (!isOption(name, names)) {
      const meant = nearest(name, names);
      const hint =
        meant === undefined ? `it has ${names.join(", ")}` : `did you mean \`${meant}\`?`;
      throw wrong(agent, `has no option \`${name}\``, hint);
    }
    const kind = CONTROLLER_OPTIONS[name];
    if (!isOfKind(value, kind))
      throw wrong(agent, `takes ${WORDS[kind]} as \`${name}\``, `it got ${JSON.stringify(value)}`);
  }
  return given;
}

function isOption(name: string, names: readonly ControllerOption[]): name is ControllerOption {
  return names.some((one) => one === name);
}

function isOfKind(value: unknown, kind: ControllerOptionKind): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string" && value !== "";
    case "texts":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "number":
      return typeof value === "number" && value > 0;
    case "isolation":
      return value === "worktree" || value === "copy";
    case "source":
      return value === "scripted" || value === "cassette";
    case "variables":
      return isRecord(value) && Object.values(value).every((one) => typeof one === "string");
  }
}

function wrong(agent: string, what: string, hint: string): RunError {
  return new RunError("M4116", `\`${agent}\` ${what}`, { hint });
}
