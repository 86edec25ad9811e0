/** The `.venv` of JupyterLab, with programs in place of Python that behave as its versions do. */
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandError } from "../../../kernel/command-error.ts";
import { withLock } from "../../../kernel/lab/lock.ts";
import { ensurePythonEnv, findPythonEnv } from "../../../kernel/lab/python-env.ts";
import { put, workspace } from "../cli/calling.ts";

/** A Python that notes how it is called and does what the cases of a shell say. */
function withPython(home: string, cases: string): NodeJS.ProcessEnv {
  const script = `#!/bin/sh\necho "$@" >> "${home}/calls"\ncase "$*" in\n${cases}\nesac\n`;
  put(home, "bin/python3", script);
  chmodSync(join(home, "bin/python3"), 0o755);
  return { PATH: `${join(home, "bin")}:/usr/bin:/bin` };
}

const version = (text: string, home: string) => `"-c "*) echo ${text} "${home}/bin/python3" ;;`;

/** Makes an environment whose Python is the same program. */
const venv = `"-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; echo > "$3/pyvenv.cfg" ;;`;
const pip = `"-m pip "*) ;;`;

async function ensured(home: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { python } = await ensurePythonEnv(home, { tell: () => {}, env });
    return python.replace(home, "HOME");
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown;
    return `${thrown.code} ${thrown.message.replaceAll(home, "HOME")} (exit ${thrown.exitCode})`;
  }
}

function calls(home: string): number {
  return readFileSync(join(home, "calls"), "utf8").trim().split("\n").length;
}

test("it is made once, also by two at once, and found from then on", async () => {
  const home = workspace();
  const env = withPython(home, `${version("3 12", home)}\n${venv}\n${pip}`);
  expect(findPythonEnv(home)).toBeUndefined();
  const both = await Promise.all([ensured(home, env), ensured(home, env)]);
  expect(both).toEqual(["HOME/.venv/bin/python", "HOME/.venv/bin/python"]);
  expect(calls(home)).toBe(3); // its version, venv, pip
  expect(findPythonEnv(home)?.python).toBe(join(home, ".venv/bin/python"));
  expect(existsSync(join(home, ".venv/madrigal.lock"))).toBe(false);
});

test("other requirements are installed again", async () => {
  const home = workspace();
  const env = withPython(home, `${version("3 12", home)}\n${venv}\n${pip}`);
  await ensured(home, env);
  put(home, ".venv/madrigal.json", '{"requirements": "of yesterday"}');
  expect(findPythonEnv(home)).toBeUndefined();
  expect(await ensured(home, env)).toBe("HOME/.venv/bin/python");
});

test("what keeps it from being made is told, and the next call tries again", async () => {
  const home = workspace();
  const said = async (cases: string) => await ensured(home, withPython(home, cases));
  expect(await said("*) exit 1 ;;")).toMatch(/^M7730 .*3\.10 or newer \(exit 4\)$/);
  expect(await said(version("3 9", home))).toMatch(/^M7730 `HOME\/bin\/python3` is Python 3\.9/);
  const noVenv = `"-m venv "*) echo "ensurepip is not available" >&2; exit 1 ;;`;
  expect(await said(`${version("3 12", home)}\n${noVenv}`)).toBe(
    "M7731 Python can't make a virtual environment: ensurepip is not available (exit 4)",
  );
  const noPip = `"-m pip "*) echo "no matching distribution" >&2; exit 1 ;;`;
  expect(await said(`${version("3 12", home)}\n${venv}\n${noPip}`)).toBe(
    "M7732 JupyterLab could not be installed: no matching distribution (exit 4)",
  );
  expect(findPythonEnv(home)).toBeUndefined();
  expect(await said(`${version("3 12", home)}\n${venv}\n${pip}`)).toBe("HOME/.venv/bin/python");
});

test("a .venv of somebody else is left alone", async () => {
  const home = workspace({ ".venv/pyvenv.cfg": "theirs" });
  const env = withPython(home, `${version("3 12", home)}\n${venv}\n${pip}`);
  expect(await ensured(home, env)).toMatch(/^M7733 `HOME\/\.venv`/);
  expect(existsSync(join(home, "calls"))).toBe(false);
});

test("the lock of a process that is gone holds nobody up", async () => {
  // No process has a number above the system's highest.
  const home = workspace({ lock: "99999999" });
  expect(await withLock(join(home, "lock"), async () => "done")).toBe("done");
  expect(existsSync(join(home, "lock"))).toBe(false);
});

test("under the lock, one works at a time", async () => {
  const home = workspace();
  let inside = 0;
  const seen: number[] = [];
  const work = async () => {
    inside += 1;
    seen.push(inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all([1, 2, 3].map(() => withLock(join(home, "lock"), work)));
  expect(seen).toEqual([1, 1, 1]);
});
