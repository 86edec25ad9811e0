/** Messages that were sent to the items of an `each`. */

import { eachesAround, type Program } from "../program/program.ts";
import type { SnapshotDraft } from "../snapshot/draft.ts";

/** All items of an `each` are through: what some of them have read is for no later round of it. */
export function forgetItems(program: Program, draft: SnapshotDraft, id: number): void {
  const { mail } = draft;
  const expansion = draft.expansions.get(id);
  if (mail.letters.size === 0 || expansion === undefined) return;
  let { letters } = mail;
  for (const [node, waiting] of mail.letters.entries()) {
    const around = eachesAround(program.eaches, program.nodes[node]?.each ?? -1);
    if (!around.includes(expansion.each)) continue;
    const left = waiting.filter(
      ({ at, readIn }) => at.scope !== expansion.scope || readIn.length === 0,
    );
    letters = left.length === 0 ? letters.delete(node) : letters.set(node, left);
  }
  draft.mail = { ...mail, letters };
}
