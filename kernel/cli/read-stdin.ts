/** Reads all of stdin as a text. */
import { isUtf8 } from "node:buffer";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";

/** Resolves with the text; throws M7202 where it is no UTF-8. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString();
  throw new CommandError("M7202", "what stands on stdin is not a text in UTF-8", {
    hint: "save it as UTF-8",
    exitCode: EXIT.wrong,
  });
}
