/** Shows the whole session of one agent of a stored run: as text, as JSON, or as a page. */
import { type DrivenRun, redaction } from "../../../../runtime/index.ts";
import { sessionPage, sessionText } from "../../../display/index.ts";
import { print, printJson } from "../../output.ts";
import { writeTextFile } from "../traces/write-file.ts";

interface SessionForms {
  readonly agent: string;
  readonly isJson: boolean;
  /** The file of the page, in place of the text. */
  readonly out: string | undefined;
}

export function showSession(run: DrivenRun, { agent, isJson, out }: SessionForms): void {
  const session = run.session(agent);
  if (out !== undefined) writeTextFile(out, sessionPage(session));
  if (isJson) printJson(redaction.shownValue(session.toJSON(), run));
  else print(out === undefined ? sessionText(session) : `session: ${out}`);
}
