/** What people say to a run without moving it: to its agents, about its fields, its models, its plan. */
import type { Plan } from "../../dsl/index.ts";
import { assertUsable, plainUse } from "../attempt/node-overrides.ts";
import type { Drive } from "../engine/drive.ts";
import { locate } from "../scheduler/called-graphs/locate.ts";
import type { DrivenRun } from "./driven-run.ts";
import { type Edit, type EditOptions, isEdited, readEditOf } from "./edit.ts";
import type { UseOptions } from "./handle.ts";
import { assertHears, nobodyHears } from "./hears.ts";
import { type ModifyOptions, readModify } from "./modify.ts";
import { nothingToEdit } from "./run-errors.ts";
import type { RunParts } from "./run-parts.ts";

interface SayingHost {
  readonly run: DrivenRun;
  readonly parts: RunParts;
  readonly drive: Drive;
}

export class RunCommands {
  readonly #host: SayingHost;

  constructor(host: SayingHost) {
    this.#host = host;
  }

  async steer(text: string, { to }: { readonly to?: string } = {}): Promise<void> {
    const { run, drive } = this.#host;
    this.#catchUp();
    if (run.status === "succeeded") throw nobodyHears(run);
    assertHears(run.ir, to);
    const whom = to === undefined ? {} : { to };
    if (drive.isElsewhere) return drive.outbox.leave({ verb: "steer", text, ...whom });
    const isLate = await drive.isTooLate((at) => ({ kind: "steer", text, ...whom, at }));
    // It was coming to rest: what is said is never dropped.
    if (isLate) await run.steer(text, whom);
  }

  async edit(
    edit: Edit<Record<string, unknown>>,
    options: string | EditOptions = {},
  ): Promise<void> {
    const { run, drive } = this.#host;
    const { told } = drive;
    this.#catchUp();
    if (run.status === "succeeded") throw nothingToEdit(run);
    drive.assertHere("edit");
    const said = readEditOf(run, { edit, options, calls: told.called });
    const before = told.lastSeq;
    const isLate = await drive.isTooLate((at) => ({ kind: "edit", ...said, at }));
    // It was coming to rest: it is edited there. A called graph that has ended meanwhile can't be: that is said.
    const isLost = said.sub !== undefined && !isEdited(told.recordsAfter(before));
    if (isLate || (isLost && !this.#isLive(said.sub))) await run.edit(edit, options);
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
