/** Makes the tool by which an agent asks a person to put its changes into the root. */
import { TIMER_MAX_MS } from "../../../clock.ts";
import type { Answer } from "../../../interrupt.ts";
import { type AskingToolContext, type AskingToolOptions, tool } from "../../scope/tools.ts";
import { withoutUnseen } from "../../values/unseen-characters.ts";
import { filesError } from "../files-error.ts";
import type { IsolatedFolder, IsolatedFolders } from "./isolated-folder.ts";
import {
  applyProposal,
  type ChangeConflict,
  knownProposal,
  type Proposal,
  propose,
} from "./proposed-changes.ts";

/** The outcome of `files.submit`. */
interface SubmittedChanges {
  readonly isMerged: boolean;
  readonly files: readonly string[];
  /** The reason for which nothing was merged, and what may be done. */
  readonly reason?: string;
  /** The artifact with the diff. */
  readonly artifact?: string;
  readonly conflicts?: readonly ChangeConflict[];
}

/** The tool asks by itself, whatever a guard says: it has no baseline that would make the guard ask, too. */
export function submitTool(folders: IsolatedFolders) {
  return tool(
    async (_: object, context: AskingToolContext) => submit(await folders.of(context), context),
    {
      effect: "workspace",
      baseline: "never",
      asks: true,
      // The person has as long as the question is open.
      timeoutMs: TIMER_MAX_MS,
      description:
        "Asks a person to take your changes of files into the folder that you all work for. Until then nobody else sees them. Says whether they were taken, or why not.",
      input: { type: "object", properties: {}, additionalProperties: false },
    } satisfies AskingToolOptions,
  );
}

async function submit(
  folder: IsolatedFolder,
  context: AskingToolContext,
): Promise<SubmittedChanges> {
  const { ask, idempotencyKey: key, signal } = context;
  if (ask === undefined)
    throw filesError("M8329", { message: "nobody can be asked whether the changes are taken" });
  const proposal = (await knownProposal(folder, key)) ?? (await propose(folder, key, signal));
  if (!("files" in proposal)) return conflicting(proposal, context);
  const files = proposal.files.map(({ path }) => path);
  if (files.length === 0) return { isMerged: false, files, reason: "nothing has changed" };
  const { id } = await context.artifact({
    name: `changes of ${files.length === 1 ? files[0] : `${files.length} files`}`,
    kind: "patch",
    data: proposal.diff,
    mime: "text/x-diff",
  });
  const declined = reasonIn(await ask(questionOf(folder, proposal)));
  if (declined !== undefined) return { isMerged: false, files, reason: declined, artifact: id };
  const changed = await applyProposal(folder, proposal);
  if (changed.length === 0) return { isMerged: true, files, artifact: id };
  const reason = `taken, but not put there: ${changed.join(", ")} changed while the question was open; submit again`;
  return { isMerged: false, files, reason, artifact: id };
}

async function conflicting(
  conflicts: readonly ChangeConflict[],
  context: AskingToolContext,
): Promise<SubmittedChanges> {
  for (const { path, diff } of conflicts)
    await context.artifact({ name: `conflict in ${path}`, kind: "patch", data: diff, path });
  return {
    isMerged: false,
    files: conflicts.map(({ path }) => path),
    reason:
      "these files changed in the common folder since you began, at the same places. Your files are as you left them: bring the changes below into them, then submit again",
    conflicts,
  };
}

function questionOf({ rootPath }: IsolatedFolder, { files, diff }: Proposal) {
  const names = files.map(({ path }) => path).join(", ");
  const shown = withoutUnseen(diff);
  const unseen = shown === diff ? "" : "; they have characters that nobody sees";
  const question = `Put the changes of ${files.length} files into ${rootPath}? ${names}${unseen}`;
  return { ask: "approval", question, shown } as const;
}

/** Returns why the changes were not taken; undefined where they were. */
function reasonIn(answer: Answer): string | undefined {
  switch (answer.kind) {
    case "approve":
      return undefined;
    case "deny":
      return `declined${answer.reason === undefined ? "" : `: ${answer.reason}`}`;
    case "revise":
      return `not like this: ${answer.text}`;
    case "edit":
    case "value":
      return "declined: the person answered with something else than yes";
  }
}
