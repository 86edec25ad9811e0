/** Runs the notebook of DeepSearch as `madrigal exec --html` would, and shows its report. */
import { workspaceAt } from "../../runtime/index.ts";
import { execNotebook } from "../cli/exec/exec-notebook.ts";
import { leave } from "../cli/exit-process.ts";
import { guard } from "../cli/guard.ts";
import { print } from "../cli/output.ts";
import { isCode, type NotebookFile } from "../notebook/notebook.ts";

export interface MainJob {
  readonly file: string;
  /** Instead of the notebook's own. */
  readonly question?: string;
}

/** Answers the question and ends the process. */
export async function mainJob({ file, question }: MainJob): Promise<never> {
  if (question !== undefined) print(`question: ${shortened(question)}`);
  const work = () =>
    execNotebook({
      file,
      parameters: question === undefined ? {} : { question },
      outDir: workspaceAt(process.cwd(), process.env).outDir,
      isPage: true,
      asJson: false,
      summary: reportOf,
    });
  return leave(await guard(work));
}

const SHOWN_CHARS = 200;

function shortened(text: string): string {
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS).toWellFormed()}…`;
}

/** Returns the result of the notebook's cell `run`, as text. */
function reportOf({ cells }: NotebookFile): string | undefined {
  const cell = cells.find(({ id }) => id === "run");
  const outputs = cell !== undefined && isCode(cell) ? cell.outputs : [];
  const result = outputs.find((output) => output.output_type === "execute_result");
  const plain = result?.output_type === "execute_result" ? result.data["text/plain"] : undefined;
  return typeof plain === "string" ? plain : undefined;
}
