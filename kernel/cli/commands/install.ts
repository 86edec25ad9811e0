/** `madrigal install`: tells Jupyter of our kernel, and JupyterLab of our kinds of cells. */
import { resolve } from "node:path";
import { CommandError } from "../../command-error.ts";
import { EXIT } from "../../exit-codes.ts";
import { prefixDataFolder, userDataFolder } from "../../lab/data-folder.ts";
import { installExtension } from "../../lab/install-extension.ts";
import { installKernelspec } from "../../lab/install-kernelspec.ts";
import { DISPLAY_NAME, KERNEL_NAME, ownKernelspec } from "../../lab/kernelspec.ts";
import type { Call } from "../arguments.ts";
import type { Command } from "../command.ts";
import { print, printJson } from "../output.ts";

export const command: Command = {
  options: { user: "flag", prefix: "text", json: "flag" },
  arguments: [],
  async run(call) {
    const spec = ownKernelspec();
    const dataFolder = dataFolderOf(call);
    const folder = installKernelspec(dataFolder, spec);
    const extension = installExtension(dataFolder);
    if (call.flag("json")) printJson({ kernel: KERNEL_NAME, folder, spec, extension });
    else {
      print(`kernel \`${KERNEL_NAME}\` (${DISPLAY_NAME}): ${folder}`);
      print(`extension for JupyterLab: ${extension}`);
    }
    return EXIT.done;
  },
};

/** The data folder that `install` and `uninstall` are called for. */
export function dataFolderOf(call: Call): string {
  const prefix = call.text("prefix");
  if (prefix === undefined) return resolve(userDataFolder());
  if (prefix !== "" && !call.flag("user")) return prefixDataFolder(resolve(prefix));
  throw new CommandError(
    "M7104",
    prefix === "" ? "`--prefix` is empty" : "`--user` and `--prefix` exclude each other",
    { hint: "`--user` is what happens without either" },
  );
}
