/** `%traces`: shows the traces that many workspaces have published beside those of this one. */
import { counted } from "../../display/visible.ts";
import { DAY_HINT, readPublishedTraces } from "../../read-published-traces.ts";
import type { AtWork } from "../notebook.ts";
import { PlainSentence } from "./listing.ts";
import { type MagicCall, wrongAt } from "./read-magic.ts";

/** `%traces FOLDER [--since DAY] [--until DAY] [--graph NAME,…]` reads a folder, `%traces off` none. */
export async function runTraces(call: MagicCall, { notebook }: AtWork): Promise<unknown> {
  const [folder] = call.words;
  const session = notebook.parts.session();
  if (folder === undefined || folder.text === "off") {
    await (await session.traces()).readPublished([]);
    return new PlainSentence("questions see the runs of this workspace alone");
  }
  const text = (name: string) => call.options.get(name)?.text;
  const wanted = readPublishedTraces(folder.text, {
    since: text("--since"),
    until: text("--until"),
    graph: text("--graph"),
  });
  if (typeof wanted === "string") {
    const option = `--${wanted}`;
    throw wrongAt(call.source, call.options.get(option) ?? folder, {
      code: "M7510",
      message: `\`${option} ${text(option)}\` is no day`,
      hint: DAY_HINT,
    });
  }
  const traces = await session.traces();
  await traces.readPublished([wanted]);
  const [{ n } = { n: 0 }] = await traces.query("SELECT count(*) AS n FROM runs");
  return new PlainSentence(
    `questions see ${counted(Number(n), "run")}, with those of ${wanted.folder}`,
  );
}
