/** Calls of the command line one after the other in one process: `node many-calls.ts HOME JSON-OF-CALLS`. */
import { dispatch } from "../../../kernel/cli/main.ts";

const [home = "", json = "[]"] = process.argv.slice(2);
const write = process.stdout.write.bind(process.stdout);
process.chdir(home);

const said: string[] = [];
for (const words of JSON.parse(json) as readonly string[][]) {
  const lines = ["", ""];
  for (const [index, stream] of [process.stdout, process.stderr].entries()) {
    stream.write = (text: string | Uint8Array) => {
      lines[index] += String(text);
      return true;
    };
  }
  const code = await dispatch(words);
  const [stdout = "", stderr = ""] = lines;
  said.push(`exit ${code}\n${stdout}${stderr.trimEnd().replaceAll(/^/gm, "! ")}`);
}
write(JSON.stringify(said));
process.exit(0);
