/** Serves the kernels of this machine over MCP, until the client or a signal ends it. */
import type { CommandCall } from "../../cli/arguments.ts";
import { EXIT } from "../../exit-codes.ts";
import { serveUntilEnded, servingPlace } from "../serve-until-ended.ts";
import { Consents } from "./consents.ts";
import { kernelServerFactory } from "./kernel-tools.ts";
import { Kernels } from "./kernels.ts";

/** The exit code. */
export async function serveKernels(call: CommandCall): Promise<number> {
  const place = servingPlace(call);
  const mayRun = call.flag("allow-run");
  const kernels = new Kernels(process.env);
  const consents = new Consents({ mayRun });
  const asks = mayRun ? "runs cells without asking" : "asks before it runs a cell";
  await serveUntilEnded(
    kernelServerFactory({ kernels, consents }),
    place,
    `the kernels of this machine; ${asks}`,
  );
  kernels.close();
  return EXIT.done;
}
