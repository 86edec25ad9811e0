/** `madrigal install`: registers our kernel with Jupyter, and our kinds of cells with JupyterLab. */
import { resolve } from "node:path";
import { CommandError } from "../../../command-error.ts";
import { EXIT } from "../../../exit-codes.ts";
import { prefixDataFolder, userDataFolder } from "../../../lab/data-folder.ts";
import { findPapermill, type Papermill } from "../../../lab/find-papermill.ts";
import { installExtension } from "../../../lab/install-extension.ts";
import { installKernelspec } from "../../../lab/install-kernelspec.ts";
import { installPapermill } from "../../../lab/install-papermill.ts";
import { DISPLAY_NAME, KERNEL_NAME, ownKernelspec } from "../../../lab/kernelspec.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";

export const command: CliCommand = {
  options: { user: "flag", prefix: "text", papermill: "flag", json: "flag" },
  arguments: [],
  async run(call) {
    const spec = ownKernelspec();
    const dataFolder = dataFolderOf(call);
    const papermill = await papermillOf(call); // Before anything is written: there may be none.
    const folder = installKernelspec(dataFolder, spec);
    const extension = installExtension(dataFolder);
    const translator = papermill && installPapermill(papermill);
    if (call.flag("json")) printJson({ kernel: KERNEL_NAME, folder, spec, extension, translator });
    else {
      print(`kernel \`${KERNEL_NAME}\` (${DISPLAY_NAME}): ${folder}`);
      print(`extension for JupyterLab: ${extension}`);
      if (papermill) print(`translator for papermill ${papermill.version}: ${translator}`);
    }
    return EXIT.done;
  },
};

/** The papermill that `install` and `uninstall` are called for, if they are. */
export async function papermillOf(call: CommandCall): Promise<Papermill | undefined> {
  if (!call.flag("papermill")) return undefined;
  const prefix = call.text("prefix");
  return await findPapermill({ prefix: prefix === undefined ? prefix : resolve(prefix) });
}

/** The data folder that `install` and `uninstall` are called for. */
export function dataFolderOf(call: CommandCall): string {
  const prefix = call.text("prefix");
  if (prefix === undefined) return resolve(userDataFolder());
  if (prefix !== "" && !call.flag("user")) return prefixDataFolder(resolve(prefix));
  throw new CommandError(
    "M7104",
    prefix === "" ? "`--prefix` is empty" : "`--user` and `--prefix` exclude each other",
    { hint: "choose one of them; `--user` is the default" },
  );
}
