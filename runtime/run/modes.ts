/** Reads the options that a mode of the file stands for: values of settings, ids of models. */
import { type Ir, MODES, nearest } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import { settingOf } from "../scheduler/lookup.ts";
import type { RunOptions } from "./run-options.ts";

/** The modes of a graph's file. */
function modesOf(ir: Ir): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const found = ir.config.some(({ key }) => key === MODES) ? settingOf(ir, MODES) : {};
  return found as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * The options with those of their mode: what the call itself says counts before, and so do models of the command line, by
 * alias. Throws M8176 for a mode that the file does not have.
 */
export function withMode<O extends Pick<RunOptions, "mode" | "config" | "models">>(
  ir: Ir,
  options: O,
  cliModels: Readonly<Record<string, string>> = {},
): O {
  const { mode } = options;
  if (mode === undefined) return options;
  const modes = modesOf(ir);
  const values = Object.hasOwn(modes, mode) ? modes[mode] : undefined;
  if (values === undefined) throw noMode(ir, mode, Object.keys(modes));
  const isSetting = (name: string) => ir.config.some(({ key }) => key === name);
  const isModel = (name: string) => ir.models.some((one) => one.name === name);
  const entries = Object.entries(values);
  const config = entries.filter(([name]) => isSetting(name));
  const models = entries.filter(([name]) => isModel(name) && !Object.hasOwn(cliModels, name));
  return {
    ...options,
    ...(config.length === 0
      ? {}
      : { config: { ...Object.fromEntries(config), ...options.config } }),
    ...(models.length === 0
      ? {}
      : {
          models: { ...(Object.fromEntries(models) as Record<string, string>), ...options.models },
        }),
  };
}

function noMode({ name }: Ir, mode: string, known: readonly string[]): RunError {
  const meant = nearest(mode, known);
  const hint = meant === undefined ? undefined : `did you mean \`${meant}\`?`;
  const all =
    known.length === 0 ? "has none" : `has ${known.map((one) => `\`${one}\``).join(", ")}`;
  return new RunError("M8176", `the file of \`${name}\` has no mode \`${mode}\``, {
    hint: hint ?? `it ${all}`,
  });
}
