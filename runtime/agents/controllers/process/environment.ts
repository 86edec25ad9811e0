/** Chooses the environment of a strong agent: what any program needs, and the variables that its program names. */
import { FailureError } from "../../../failure.ts";

/** The variables of a process, by name. */
export type AgentVariables = Readonly<Record<string, string | undefined>>;

/** Variables that an agent gets without their being named: places and languages, nothing that opens a door. */
const INHERITED: readonly string[] = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR"],
  ...["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"],
];

/**
 * Returns all that an agent's process gets of `env`: what any program needs, and `names`. Throws M8562 where one of the names is
 * not set.
 */
export function agentEnvironment(
  env: AgentVariables,
  names: readonly string[],
  agent: string,
): Readonly<Record<string, string>> {
  const missing = names.find((name) => env[name] === undefined);
  if (missing !== undefined) throw unset(missing, agent);
  const inherited = Object.keys(env).filter(
    (name) => INHERITED.includes(name) || name.startsWith("LC_"),
  );
  const chosen = [...inherited, ...names].flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(chosen);
}

function unset(name: string, agent: string): FailureError {
  return new FailureError({
    class: "tool",
    code: "M8562",
    message: `\`${agent}\` is to get the variable ${name}, and it is not set`,
    hint: `set ${name} where Madrigal is started, or take it out of \`env\``,
  });
}
