/** Sends commands of people to a run: text for its agents, edits, other models and tools, another plan. */
import { type Ir, nearest, type Plan } from "../../dsl/index.ts";
import { assertUsable, plainUse } from "../attempt/node-overrides.ts";
import type { Drive } from "../engine/drive.ts";
import { RunError } from "../failure.ts";
import { shortRunId } from "../run-names.ts";
import { locate } from "../scheduler/called-snapshots.ts";
import { isSaid } from "../scheduler/steers.ts";
import type { DrivenRun } from "./driven-run.ts";
import { type Edit, type EditOptions, isEdited, readEditOf } from "./edit.ts";
import type { SteerOptions, UseOptions } from "./handle.ts";
import { type ModifyOptions, readModify } from "./modify.ts";
import { nothingToEdit } from "./run-errors.ts";
import type { RunParts } from "./run-parts.ts";

interface RunCommandsHost {
  readonly run: DrivenRun;
  readonly parts: RunParts;
  readonly drive: Drive;
}

export class RunCommands {
  readonly #host: RunCommandsHost;

  constructor(host: RunCommandsHost) {
    this.#host = host;
  }

  async steer(text: string, options: SteerOptions = {}): Promise<void> {
    const { run, drive } = this.#host;
    const { to, id } = options;
    this.#catchUp();
    // Also of a run that has ended since: its sender can't know that.
    if (id !== undefined && isSaid(drive.snapshot, id)) return;
    if (run.status === "succeeded") throw nobodyHears(run);
    assertHears(run.ir, to);
    const whom = to === undefined ? {} : { to };
    const words = { text, ...whom, ...(id === undefined ? {} : { givenId: id }) };
    if (drive.isElsewhere) return drive.outbox.leave({ verb: "steer", ...words });
    const isLate = await drive.isTooLate((at) => ({ kind: "steer", ...words, at }));
    // The run came to rest meanwhile: stores the text there, so that it is never dropped.
    if (isLate) await run.steer(text, options);
  }

  async edit(
    edit: Edit<Record<string, unknown>>,
    options: string | EditOptions = {},
  ): Promise<void> {
    const { run, drive } = this.#host;
    const { history } = drive;
    this.#catchUp();
    if (run.status === "succeeded") throw nothingToEdit(run);
    drive.assertHere("edit");
    const readEdit = readEditOf(run, { edit, options, calls: history.called });
    const before = history.lastSeq;
    const isLate = await drive.isTooLate((at) => ({ kind: "edit", ...readEdit, at }));
    // The run came to rest meanwhile, and is edited there; a called graph that has ended can't be, which is an error.
    const isLost = readEdit.sub !== undefined && !isEdited(history.recordsAfter(before));
    if (isLate || (isLost && !this.#isLive(readEdit.sub))) await run.edit(edit, options);
  }

  async use(node: string, change: UseOptions): Promise<void> {
    const { run, parts, drive } = this.#host;
    this.#catchUp();
    assertUsable(run, node);
    drive.assertHere("use");
    const use = parts.use?.(change) ?? plainUse(change);
    const isLate = await drive.isTooLate((at) => ({ kind: "use", node, use, at }));
    if (isLate) await run.use(node, change);
  }

  async modify(plan: Plan | string, options: ModifyOptions = {}): Promise<void> {
    const { run, parts, drive } = this.#host;
    this.#catchUp();
    drive.assertHere();
    const asked = readModify(parts.program, drive.snapshot, { plan, ...options });
    const isLate = await drive.isTooLate((at) => ({ kind: "modify", ...asked, at }));
    // It was coming to rest, or the plan to its end: whichever it was is said there.
    if (isLate) await run.modify(plan, options);
  }

  #isLive(sub: number): boolean {
    const { parts, drive } = this.#host;
    return locate(parts.program, drive.snapshot, sub) !== undefined;
  }

  /** Takes what others wrote to the log; of a run that has begun. */
  #catchUp(): void {
    this.#host.drive.catchUp();
    this.#host.drive.assertBegun();
  }
}

/** Throws M5334 for a name that is no node which asks a model. */
function assertHears({ name, nodes, graphs = [] }: Ir, to: string | undefined): void {
  if (to === undefined) return;
  const all = [...nodes, ...graphs.flatMap((graph) => graph.nodes)];
  const names = all
    .filter(({ kind }) => kind === "agent" || kind === "router" || kind === "operator")
    .map((node) => node.name);
  if (names.includes(to)) return;
  const meant = nearest(to, names);
  throw new RunError("M5334", `\`${name}\` has no agent \`${to}\` that could hear it`, {
    hint:
      meant === undefined
        ? `it has ${names.map((one) => `\`${one}\``).join(", ") || "none"}`
        : `did you mean \`${meant}\`?`,
  });
}

function nobodyHears({ id: runId }: { readonly id: string }): RunError {
  return new RunError(
    "M5333",
    `run \`${shortRunId(runId)}\` has succeeded; no agent would read the text`,
    {
      hint: "start a new run in its thread, or go back with `rewind(n)`",
      runId,
    },
  );
}
