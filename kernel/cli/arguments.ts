/** Reads the words after a command into arguments and options, and reports wrong ones. */
import { parseArgs } from "node:util";
import { CommandError } from "../command-error.ts";

/** `flag` stands alone, `text` takes a value, `texts` may be given several times. */
export type Options = Readonly<Record<string, "flag" | "text" | "texts">>;

export interface Syntax {
  readonly options: Options;
  /** The positional arguments: `[GRAPH]` may be left out, `FILE…` is one or more. */
  readonly arguments: readonly string[];
}

/** One call of a command. */
export interface CommandCall {
  readonly arguments: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
}

export async function readCall(
  command: string,
  words: readonly string[],
  syntax: Syntax,
): Promise<CommandCall> {
  const { positionals, tokens } = parseArgs({
    args: [...words],
    options: toConfig(syntax.options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = tokens.filter((token) => token.kind === "option");
  for (const option of given) await assertOption(option, command, syntax.options);
  assertArguments(positionals, command, syntax.arguments);
  const texts = (name: string) =>
    given.flatMap((option) => (option.name === name ? (option.value ?? []) : []));
  return {
    arguments: positionals,
    flag: (name) => given.some((option) => option.name === name),
    text: (name) => texts(name).at(-1),
    texts,
  };
}

function toConfig(options: Options) {
  return Object.fromEntries(
    Object.entries(options).map(([name, kind]) => [
      name,
      kind === "flag"
        ? { type: "boolean" as const }
        : { type: "string" as const, multiple: kind === "texts" },
    ]),
  );
}

interface GivenOption {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
}

async function assertOption(
  { name, rawName, value }: GivenOption,
  command: string,
  options: Options,
): Promise<void> {
  const kind = Object.hasOwn(options, name) ? options[name] : undefined;
  if (kind === undefined) {
    // Loaded only now: every command starts sooner without the language.
    const { nearest } = await import("../../dsl/index.ts");
    const meant = nearest(name, Object.keys(options));
    throw new CommandError("M7102", `\`madrigal ${command}\` has no option \`${rawName}\``, {
      hint:
        meant === undefined
          ? `\`madrigal ${command} --help\` lists them`
          : `did you mean \`--${meant}\`?`,
    });
  }
  if (kind === "flag" && value !== undefined) {
    throw new CommandError("M7104", `\`--${name}\` takes no value`, {
      hint: `write \`--${name}\` alone`,
    });
  }
  if (kind !== "flag" && value === undefined) {
    throw new CommandError("M7104", `\`--${name}\` needs a value`, {
      hint: `\`madrigal ${command} --help\` shows which`,
    });
  }
}

function assertArguments(
  given: readonly string[],
  command: string,
  expected: readonly string[],
): void {
  const required = expected.filter((name) => !name.startsWith("["));
  const missing = required[given.length];
  if (missing !== undefined) {
    throw new CommandError("M7103", `\`madrigal ${command}\` needs ${missing.replace("…", "")}`, {
      hint: `madrigal ${command} ${expected.join(" ")}`,
    });
  }
  const extra = expected.some((name) => name.includes("…")) ? undefined : given[expected.length];
  if (extra === undefined) return;
  throw new CommandError("M7103", `\`${extra}\` is one argument too many`, {
    hint: `madrigal ${[command, ...expected].join(" ")}`,
  });
}
