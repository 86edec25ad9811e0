/** Makes the bundle of the session of one agent, and its page. */
import type { AgentSession } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { bundleOf, HTML, PLAIN } from "../bundle.ts";
import { closedPage } from "../closed-page.ts";
import { escapeMarkup } from "../escape.ts";
import { PAGE_ROOM, READ_ROOM, turnsHtml } from "./session-html.ts";
import { turnsText } from "./session-text.ts";
import { type ShownTurn, shownTurn } from "./shown-turn.ts";

/** Lines of the text beside the HTML. */
const ITEMS_SHOWN = 200;

export function sessionBundle(session: AgentSession): Bundle {
  const turns = turnsOf(session);
  return bundleOf({
    [HTML]: turnsHtml(turns, READ_ROOM),
    [PLAIN]: turnsText(turns, ITEMS_SHOWN),
  });
}

/** All of it as text. */
export function sessionText(session: AgentSession): string {
  return turnsText(turnsOf(session), Infinity);
}

/** One page of HTML that runs no script and loads nothing. */
export function sessionPage(session: AgentSession): string {
  const title = `${session.agent} in ${session.run.graph}`;
  const turns = turnsHtml(turnsOf(session), PAGE_ROOM);
  return closedPage({
    title,
    style: STYLE,
    body: `<h1>${escapeMarkup(title)}</h1>\n<p>run ${escapeMarkup(session.run.id)}</p>\n${turns}`,
  });
}

function turnsOf({ turns, run }: AgentSession): readonly ShownTurn[] {
  return turns.map((turn) => shownTurn(turn, run));
}

const STYLE = `:root { color-scheme: light dark; }
body { margin: 0; background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; }
pre, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .84rem; }`;
