/** `madrigal uninstall`: takes away what `madrigal install` wrote, and nothing else. */

import { EXIT } from "../../exit-codes.ts";
import { extensionFolder, uninstallExtension } from "../../lab/install-extension.ts";
import { kernelFolder, uninstallKernelspec } from "../../lab/install-kernelspec.ts";
import { KERNEL_NAME } from "../../lab/kernelspec.ts";
import type { Command } from "../command.ts";
import { print, printJson } from "../output.ts";
import { dataFolderOf } from "./install.ts";

export const command: Command = {
  options: { user: "flag", prefix: "text", json: "flag" },
  arguments: [],
  async run(call) {
    const dataFolder = dataFolderOf(call);
    const folder = kernelFolder(dataFolder);
    const extension = extensionFolder(dataFolder);
    const removed = uninstallKernelspec(dataFolder);
    const removedExtension = uninstallExtension(dataFolder);
    if (call.flag("json")) {
      printJson({ kernel: KERNEL_NAME, folder, removed, extension, removedExtension });
    } else {
      print(removed ? `removed: ${folder}` : `nothing to remove: there is no ${folder}`);
      if (removedExtension) print(`removed: ${extension}`);
    }
    return EXIT.done;
  },
};
