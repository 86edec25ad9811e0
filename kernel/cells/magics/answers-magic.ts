/** `%answers`: the answers that threads remember, and one of them taken back. */
import { rememberedAnswerRows } from "../../display/remembered-answers.ts";
import type { AtWork } from "../notebook.ts";
import { type MagicCall, wrongAt } from "./read-magic.ts";

/** Returns the rows of a table, or what was done. */
export function runAnswers({ words, source }: MagicCall, { notebook }: AtWork): unknown {
  const [thread, id] = words;
  const { answers } = notebook.parts.session().stored;
  if (thread?.text === "forget" && id !== undefined) {
    const [{ graph, node } = { graph: "", node: "" }] = answers.forget([id.text]);
    return `the answer to ${graph}.${node} is taken back: runs that start from now on ask again`;
  }
  if (id !== undefined)
    throw wrongAt(source, id, {
      code: "M7504",
      message: `\`%answers ${thread?.text}\` has no place for \`${id.text}\``,
      hint: "`%answers THREAD` lists those of a thread, `%answers forget ID` takes one back",
    });
  const found = answers.list(thread?.text);
  return found.length === 0 ? "no thread remembers an answer" : rememberedAnswerRows(found);
}
