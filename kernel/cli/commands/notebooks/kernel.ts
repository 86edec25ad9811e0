/** `madrigal kernel FILE`: serves one notebook; FILE is the connection file that the front end writes. */
import { becomeStoppable, dropAllocatorVariables } from "../../../cells/node-flags.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";

export const command: CliCommand = {
  options: {},
  arguments: ["FILE"],
  async run(call) {
    becomeStoppable();
    dropAllocatorVariables();
    const { runKernel } = await import("../../../cells/boot.ts");
    await runKernel(call.arguments[0] ?? "");
    return EXIT.done;
  },
};
