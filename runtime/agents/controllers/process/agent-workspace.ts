/** Gives a strong agent the folder that it works in: the named one, or one of its own whose changes a person takes. */
import { resolve } from "node:path";
import { FailureError } from "../../../failure.ts";
import { IsolatedFolders } from "../../files/isolation/isolated-folder.ts";
import { applyProposal, type Proposal, propose } from "../../files/isolation/proposed-changes.ts";
import type { ControllerEvent } from "../../operator/controller.ts";
import { OpenResources } from "../../tools/tool-caller.ts";
import type { StrongAgentOptions } from "./agent-options.ts";
import type { EndingIo } from "./agent-turn.ts";

/** The folder of an agent in one turn. */
export interface AgentWorkspace {
  readonly folder: string;
  /** The node run that the folder was made for; absent where it is nobody's own. */
  readonly owner?: string;
  /** Asks a person to take the changes; what the turn fails with where they were not taken. */
  readonly submit?: (io: EndingIo) => Promise<NotTaken | undefined>;
}

type NotTaken = ControllerEvent & { readonly kind: "failed" };

/** The turn that a folder is for. */
export interface WorkingTurn {
  readonly run: string;
  /** The node run that had the session's first turn. */
  readonly owner: string;
  /** Names the attempt. */
  readonly key: string;
  /** The folder of the program. */
  readonly from: string | undefined;
  readonly open: OpenResources | undefined;
  readonly signal: AbortSignal;
}

export async function openWorkspace(
  { cwd = ".", isolate }: StrongAgentOptions,
  turn: WorkingTurn,
): Promise<AgentWorkspace> {
  const root = resolve(turn.from ?? ".", cwd);
  if (isolate === undefined) return { folder: root };
  const { run, owner, open = new OpenResources(), signal } = turn;
  const folders = new IsolatedFolders(root, isolate);
  const caller = {
    run,
    turn: owner,
    step: 1,
    reach: undefined,
    open,
    state: undefined,
    results: [],
  };
  const folder = await folders.of({ caller, signal } as never);
  const submit = async (io: EndingIo): Promise<NotTaken | undefined> => {
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const callId = `${SUBMIT}/${turn.key}/${round}`;
      const proposal = await propose(folder, callId, signal);
      if (!("files" in proposal)) return conflicting(proposal, folder.path, io);
      if (proposal.files.length === 0) return undefined;
      const answer = await askFor(proposal, callId, io);
      if (answer?.decision !== "approve") return declined(answer?.reason, io, callId);
      const changed = await applyProposal(folder, proposal);
      if (changed.length === 0) {
        io.tell({ kind: "tool_result", callId, value: { isMerged: true } });
        return undefined;
      }
      const error = `${changed.join(", ")} changed while the question was open`;
      io.tell({ kind: "tool_result", callId, error });
    }
    return notTaken("merge_conflict", "the files of the root change faster than anybody answers");
  };
  return { folder: folder.path, owner, submit };
}

const ROUNDS_MAX = 5;

/** The tool of our own agents that does the same. */
const SUBMIT = "files.submit";

async function askFor({ files, diff }: Proposal, callId: string, io: EndingIo) {
  const paths = files.map(({ path }) => path);
  const name = `changes of ${paths.length === 1 ? paths[0] : `${paths.length} files`}`;
  const input = { files: paths, diff };
  io.tell(
    { kind: "artifact_created", name, artifactKind: "patch", mime: "text/x-diff", text: diff },
    { kind: "tool_call", callId, tool: SUBMIT, input: { files: paths } },
  );
  const message = `put the changes of ${paths.join(", ")} into the folder that it began with`;
  return await io.ask({
    kind: "approval_requested",
    approvalId: callId,
    ...{ tool: SUBMIT, input, message, risk: "medium" },
  });
}

function declined(reason: string | undefined, io: EndingIo, callId: string): NotTaken {
  const error = reason ?? "nobody took the changes";
  io.tell({ kind: "tool_result", callId, error, isDenied: true });
  return { ...notTaken("declined", `its changes were not taken: ${error}`), class: "denied" };
}

function conflicting(
  conflicts: readonly { readonly path: string; readonly diff: string }[],
  folder: string,
  io: EndingIo,
): NotTaken {
  for (const { path, diff } of conflicts)
    io.tell({
      kind: "artifact_created",
      name: `conflict in ${path}`,
      ...{ artifactKind: "patch", mime: "text/x-diff", path, text: diff },
    });
  const paths = conflicts.map(({ path }) => path).join(", ");
  return notTaken(
    "merge_conflict",
    `${paths} changed in the root since it began, at the same places; its files are in ${folder}`,
  );
}

function notTaken(reason: string, message: string): NotTaken {
  return { kind: "failed", class: "tool", reason, message };
}

/** Makes the failure of an agent whose folder is not there. */
export function missingFolder(agent: string, folder: string): FailureError {
  return new FailureError({
    class: "tool",
    code: "M8563",
    message: `\`${agent}\` can't work in "${folder}": there is no such folder`,
    hint: "`cwd` is a folder, seen from the program's file",
  });
}
