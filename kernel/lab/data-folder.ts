/** Finds the folders in which Jupyter looks for kernelspecs, as jupyter_core does. */
import { homedir } from "node:os";
import { join } from "node:path";

type JupyterEnvironment = Readonly<Record<string, string | undefined>>;

/** The data folder of this user. */
export function userDataFolder(env: JupyterEnvironment = process.env): string {
  if (env.JUPYTER_DATA_DIR) return env.JUPYTER_DATA_DIR;
  const home = env.HOME || homedir();
  if (process.platform === "darwin") return join(home, "Library", "Jupyter");
  if (process.platform === "win32" && env.APPDATA) return join(env.APPDATA, "jupyter");
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "jupyter");
}

/** The data folder of everything that is installed below a prefix, such as a virtual environment. */
export function prefixDataFolder(prefix: string): string {
  return join(prefix, "share", "jupyter");
}

/** The environment of Python whose package `madrigal-kernel` started this process; undefined if npm's package did. */
export function ownPythonPrefix(env: JupyterEnvironment = process.env): string | undefined {
  return env.MADRIGAL_PYTHON_PREFIX;
}

/**
 * All data folders that are searched by a Jupyter outside of virtual environments, or of the one that started this process,
 * the first one first.
 */
export function searchedDataFolders(env: JupyterEnvironment = process.env): readonly string[] {
  const listed = (env.JUPYTER_PATH ?? "").split(":").filter((folder) => folder !== "");
  const prefix = ownPythonPrefix(env);
  const own = prefix === undefined ? [] : [prefixDataFolder(prefix)];
  const shared =
    process.platform === "win32" ? [] : ["/usr/local/share/jupyter", "/usr/share/jupyter"];
  return [...listed, ...own, userDataFolder(env), ...shared];
}
