/**
 * Serves calls of the command in one warm process: the code is loaded once, and each call has its own working folder,
 * environment and modules of the user. `madrigal.ts` beside it sends the calls and reads the two streams.
 */
import { registerHooks } from "node:module";
import { keepCompiled } from "../../../kernel/startup/keep-compiled.js";

const ownStdout = process.stdout.write;
let call = 0;

keepCompiled();
const { hideSqliteWarning } = await import("../../../kernel/startup/hide-sqlite-warning.js");
hideSqliteWarning();
const { dispatch } = await import("../../../kernel/cli/main.ts");
const { leave } = await import("../../../kernel/cli/exit-process.ts");
const { complain } = await import("../../../kernel/cli/guard.ts");
const { toFault } = await import("../../../kernel/cli/fault.ts");
const { listenForStrays } = await import("../../../kernel/stray-errors.ts");

listenForStrays((thrown) => void leave(complain(toFault(thrown))));

// A new process reads what the user's files are now: so does each call, since its modules have names of their own.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isUsers = found.url.startsWith("file:") && !/\/node_modules\/|[?]/.test(found.url);
    const isOurs = found.url.startsWith(new URL("../../../", import.meta.url).href);
    return isUsers && !isOurs ? { ...found, url: `${found.url}?call=${call}` } : found;
  },
});

process.on("message", async ({ words, cwd, env }) => {
  call += 1;
  // `--json` of the last call keeps stdout for its document.
  process.stdout.write = ownStdout;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const code = await dispatch(words);
  const end = `\u0000exit code ${code}\u0000\n`;
  ownStdout.call(process.stdout, end);
  process.stderr.write(end);
});
// Who called may be gone, and reads no more: that is no fault to be told.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});
process.on("disconnect", () => void leave(0));
process.send?.("ready");
