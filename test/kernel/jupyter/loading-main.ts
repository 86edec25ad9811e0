/** The main thread of a kernel that starts worker 1 and is then busy for ever, as with loading. */
import { startJupyter } from "../../../kernel/jupyter/main/start.ts";

const [, , connectionFile = ""] = process.argv;
const nothing = () => undefined;
void startJupyter(connectionFile, {
  execute: async () => ({ status: "ok", userExpressions: {} }),
  comm: async () => undefined,
  debug: async () => undefined,
  cancel: nothing,
  isEnding: () => false,
  startTypes: nothing,
  close: async () => undefined,
});
process.stdout.write("loads\n");
for (;;);
