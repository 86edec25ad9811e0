/** `madrigal debug FILE [GRAPH]` or `debug RUN`: steps through a graph or a stored run. */
import { statSync } from "node:fs";
import { type Session, shortRunId } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { openToDrive } from "../../open-to-drive.ts";
import { openStoredRuns } from "../../stored-runs.ts";
import { debugLines } from "./debug-lines.ts";
import { blamingCall, readRun } from "./read-run.ts";

export const command: CliCommand = {
  options: {
    ...{ input: "text", model: "texts", scope: "text" },
    ...{
      thread: "text",
      from: "text",
      user: "text",
      durability: "text",
      mode: "text",
      config: "text",
      prompts: "text",
    },
    "no-types": "flag",
  },
  arguments: ["FILE|RUN", "[GRAPH]"],
  async run(call) {
    const [first = ""] = call.arguments;
    if (isRun(first)) return await debugStored(call, first);
    const { session, graph, input, options, models } = await readRun(call);
    return await blamingCall(models, () =>
      debugLines({
        session,
        run: graph.debug(input, options),
        explore: (of) => graph.explore(input, of),
      }),
    );
  },
};

/** Tells whether the word names a stored run. A program's file of that name comes first, a folder does not. */
function isRun(word: string): boolean {
  const isFile =
    statSync(word, { throwIfNoEntry: false })?.isFile() === true ||
    word.includes("/") ||
    word.endsWith(".madrigal");
  return !isFile && (word === "last" || /^[0-9a-f-]{4,36}$/.test(word));
}

/** A stored run, from where it stands. */
async function debugStored(call: CommandCall, id: string): Promise<number> {
  const given = Object.keys(command.options).find((name) => call.flag(name));
  const word = given === undefined ? call.arguments[1] : `--${given}`;
  if (word !== undefined) {
    throw new CommandError("M7103", `\`${word}\` is only for a new run, and this run is stored`, {
      hint: `madrigal debug ${id}`,
    });
  }
  const session = openStoredRuns();
  assertFree(session, id);
  const { run } = await openToDrive(session, id);
  return await debugLines({ session, run });
}

/**
 * Throws M5105 if another process drives the run: a second debugger would wait for the first one.
 */
function assertFree(session: Session, id: string): void {
  session.spans.assertHasLog(id);
  const { runId, owner } = session.store.find(id);
  if (owner === undefined) return;
  throw new CommandError("M5105", `run \`${shortRunId(runId)}\` is driven by ${owner}`, {
    hint: `continue it there, or stop it there first; \`madrigal show ${shortRunId(runId)}\` shows its status`,
    exitCode: EXIT.wrong,
  });
}
