/** `madrigal uninstall`: removes what `madrigal install` wrote, and nothing else. */

import { EXIT } from "../../../exit-codes.ts";
import { extensionFolder, uninstallExtension } from "../../../lab/install-extension.ts";
import { kernelFolder, uninstallKernelspec } from "../../../lab/install-kernelspec.ts";
import { uninstallPapermill } from "../../../lab/install-papermill.ts";
import { KERNEL_NAME } from "../../../lab/kernelspec.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";
import { dataFolderOf, papermillOf } from "./install.ts";

export const command: CliCommand = {
  options: { user: "flag", prefix: "text", papermill: "flag", json: "flag" },
  arguments: [],
  async run(call) {
    const dataFolder = dataFolderOf(call);
    const folder = kernelFolder(dataFolder);
    const extension = extensionFolder(dataFolder);
    const papermill = await papermillOf(call);
    const removed = uninstallKernelspec(dataFolder);
    const removedExtension = uninstallExtension(dataFolder);
    const translator = papermill && uninstallPapermill(papermill);
    if (call.flag("json")) {
      printJson({ kernel: KERNEL_NAME, folder, removed, extension, removedExtension, translator });
    } else {
      print(removed ? `removed: ${folder}` : `nothing to remove: there is no ${folder}`);
      if (removedExtension) print(`removed: ${extension}`);
      if (translator) print(`removed: ${translator}`);
    }
    return EXIT.done;
  },
};
