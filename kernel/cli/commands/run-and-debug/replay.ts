/** `madrigal replay RUN`: replays a stored run from its log, and shows where the decisions differ. */
import type { Ir } from "../../../../dsl/index.ts";
import {
  type DrivenRun,
  redaction,
  type repeatedRuns,
  shortRunId,
  type storedRuns,
} from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { counted } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import { checkSource } from "../../../programs/check-source.ts";
import { readProgram } from "../../../programs/read-program.ts";
import type { CliCommand } from "../../command.ts";
import { isError, tellFrames } from "../../frames.ts";
import { print, printJson, tell } from "../../output.ts";
import { openRunsToRead } from "../../stored-runs.ts";

export const command: CliCommand = {
  options: { with: "text", json: "flag" },
  arguments: ["RUN"],
  async run(call) {
    const session = openRunsToRead();
    const run = session.open(call.arguments[0] ?? "");
    const meta = session.store.meta(run.id);
    const file = call.text("with");
    const exact = run.replay(file === undefined ? {} : { ir: await programOf(file, meta) });
    const replay = shownReplay(exact, run, session.store.read(run.id));
    if (call.flag("json")) printJson(replayJson(run.id, replay));
    else if (replay.divergence === undefined) print(agreedText(run.id, replay));
    if (replay.divergence !== undefined) tell(divergenceText(replay.divergence));
    await session.close();
    return replay.ok ? EXIT.done : EXIT.wrong;
  },
};

/** The run's graph as a file has it; its TypeScript is not loaded, as nothing of it is called. */
async function programOf(file: string, { graph }: storedRuns.RunMeta): Promise<Ir> {
  const { source, path } = readProgram(file);
  const { diagnostics, graphs } = await checkSource({ source, path, types: "never" });
  tellFrames(diagnostics.filter(isError), source);
  const found = graphs.find(({ name }) => name === graph);
  if (found !== undefined) return found;
  throw new CommandError("M5003", `\`${file}\` has no graph \`${graph}\` that can run`, {
    hint: `\`madrigal check ${file}\` says what is wrong with it`,
    place: { file },
    exitCode: EXIT.wrong,
  });
}

/** Returns a replay for people, without private values, also those of the other program. */
function shownReplay(
  replay: repeatedRuns.Replay,
  run: DrivenRun,
  records: readonly { seq: number }[],
): repeatedRuns.Replay {
  const state = redaction.shownValue(replay.state, run);
  const { divergence } = replay;
  if (divergence === undefined) return { ...replay, state };
  const record = records.find(({ seq }) => seq === divergence.seq);
  // A value under a private name in the other record counts as private from here on.
  if (record !== undefined) redaction.shownValue(withMember(record, divergence), run);
  const { message, recorded, replayed } = divergence;
  const shown = redaction.shownValue([message, recorded, replayed], run);
  const hidden = { message: String(shown[0]), recorded: shown[1], replayed: shown[2] };
  return { ...replay, state, divergence: { ...divergence, ...hidden } };
}

/** The record as the other program has it, as far as it was compared. */
function withMember(
  record: object,
  { field, replayed }: Pick<repeatedRuns.Divergence, "field" | "replayed">,
): unknown {
  const [key, ...path] = field.split(".");
  if (key === undefined || key === "") return record;
  const inner: unknown = Reflect.get(record, key);
  const isIn = path.length > 0 && typeof inner === "object" && inner !== null;
  const member = isIn ? withMember(inner, { field: path.join("."), replayed }) : replayed;
  return { ...record, [key]: member };
}

function agreedText(runId: string, { records, steps, status }: repeatedRuns.Replay): string {
  return `run ${shortRunId(runId)} replays: ${counted(records, "record")}, ${counted(steps, "step")}, ${status} with the same state`;
}

function divergenceText({ code, message, cause, hint }: repeatedRuns.Divergence): string {
  return `error[${code}]: ${message}\n  cause: ${cause}\n  hint: ${hint}`;
}

function replayJson(runId: string, replay: repeatedRuns.Replay): Record<string, unknown> {
  const { ok, records, steps, status, state, divergence } = replay;
  return {
    run_id: runId,
    ok,
    records,
    steps,
    status,
    state,
    divergence: divergence === undefined ? null : divergenceJson(divergence),
  };
}

function divergenceJson({
  attempt,
  node,
  place,
  recorded,
  replayed,
  ...of
}: repeatedRuns.Divergence) {
  return {
    ...of,
    node: node ?? null,
    place: place ?? null,
    attempt: attempt ?? null,
    recorded: recorded ?? null,
    replayed: replayed ?? null,
  };
}
