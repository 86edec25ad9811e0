/** Reports on an agent's turn with its browser: what it did and saw, the page that is shown in the end, a picture of it. */
import type { ReportCalls } from "../scope/tools.ts";
import { isStateful, type ReportedCall } from "../tools/tool-caller.ts";
import { shortText } from "../values/text-size.ts";
import type { AgentBrowsers } from "./agent-browsers.ts";
import { markdownOf } from "./page/page-markdown.ts";
import { pictureOf } from "./page/page-picture.ts";
import type { BrowserSession } from "./process/browser-session.ts";

const OBSERVATION_MAX = 4_000;
const TEXT_MAX = 32_000;

type ArtifactMaker = Parameters<ReportCalls>[2];

/**
 * Makes the function that keeps a report as the artifacts `browser-report.json` and `browser-page.jpg`. The page is left out
 * where no browser is open in this process, or it does not answer.
 */
export function createBrowserReport(browsers: AgentBrowsers): ReportCalls {
  return async (caller, calls, context) => {
    const session = browsers.openSession(caller);
    const page =
      session === undefined ? undefined : await session.turn(() => shownPage(session, context));
    await context.artifact({
      name: "browser-report.json",
      kind: "report",
      data: { actions: calls.map(actionOf), ...(page === undefined ? {} : { page }) },
    });
  };
}

function actionOf({ tool, input, value, error }: ReportedCall) {
  const observation = error ?? textIn(isStateful(value) ? value.value : value);
  return { tool, input, observation: shortText(observation, OBSERVATION_MAX) };
}

/** A result is a text, or a list of parts of which the pictures are left out. */
function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  const { content = [] } = (value ?? {}) as {
    readonly content?: readonly { readonly text?: string }[];
  };
  return content.flatMap(({ text }) => text ?? []).join("\n");
}

async function shownPage(session: BrowserSession, { artifact, signal }: ArtifactMaker) {
  const { shown } = session;
  if (shown === undefined || shown.isClosed()) return undefined;
  try {
    const text = shortText(await markdownOf(shown, signal), TEXT_MAX);
    const { data } = await pictureOf(shown, "plain", signal);
    const bytes = Buffer.from(data, "base64");
    const { id } = await artifact({ name: "browser-page.jpg", kind: "report", data: bytes });
    return { url: shown.url(), text, picture: id };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return undefined;
  }
}
