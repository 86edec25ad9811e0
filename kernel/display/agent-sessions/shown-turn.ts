/** Hides in the turns of an agent what is private or looks like a secret, before people see them. */
import { redaction, type SessionItem, type SessionTurn } from "../../../runtime/index.ts";

/** With its item's place among those of its node run, which stays the same as others follow. */
export interface ShownTurn extends Omit<SessionTurn, "items"> {
  readonly items: readonly SessionItem[];
}

export function shownTurn(turn: SessionTurn, run: redaction.Showing): ShownTurn {
  const { node, saying, plan } = turn;
  const hide = (text: string) => redaction.shownOutput(text, node, run);
  const items = turn.items.map((item): SessionItem => {
    if (item.kind === "text") return { ...item, text: hide(item.text) };
    return redaction.shownValue(item, run);
  });
  return {
    ...turn,
    // A getter of the tally's.
    modelSources: turn.modelSources,
    items,
    saying: saying === "" ? "" : hide(saying),
    ...(plan === undefined ? {} : { plan: redaction.shownValue(plan, run) }),
  };
}
