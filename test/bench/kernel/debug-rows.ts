/** What it costs to step through a run, to jump in it and to look at it, beside LangGraph's interrupt stepping. */
import { LANGGRAPH } from "../engine/also.ts";
import { figuresOf } from "../engine/figures.ts";
import type { Keep, Tell } from "../suite.ts";
import type { Wanted } from "../wanted.ts";
import type { StepProbe } from "./step-probe.ts";

const RUNS = 7;

const STEP = "step with 1 MB of state";
const STEP_BESIDE = `${STEP}, ${LANGGRAPH}`;
const JUMP = "jump to any of 10,000 steps";
const FIRST_JUMP = "open a stored run, jump to any of 10,000 steps";
const LOOK = "stop with 10,000 fields";

export interface DebugRows {
  readonly tell: Tell;
  readonly keep: Keep;
  readonly wanted: Wanted;
}

export function debugRows(of: DebugRows): void {
  stepRows(of);
  jumpRow(of);
  firstJumpRow(of);
  lookRow(of);
}

function stepRows({ tell, keep, wanted }: DebugRows): void {
  const names = [STEP, STEP_BESIDE].filter((name) => wanted.has(name));
  if (names.length === 0) return;
  tell(`bench: ${STEP}`);
  const row = { unit: "ms", ours: measured("step") };
  keep({ ...row, name: STEP, goal: 0.3, goalOn: "ours" });
  if (!names.includes(STEP_BESIDE)) return;
  const values = figuresOf<readonly number[]>("../kernel/langgraph-step.js", [`${RUNS}`]);
  keep({ ...row, name: STEP_BESIDE, goal: 10, goalOn: "ratio", base: { name: LANGGRAPH, values } });
}

/** The slowest of twenty. */
function jumpRow({ tell, keep, wanted }: DebugRows): void {
  if (!wanted.has(JUMP)) return;
  tell(`bench: ${JUMP}`);
  keep({ name: JUMP, unit: "ms", goal: 20, goalOn: "ours", ours: measured("jump") });
}

/** From the disk, by a session that has just begun. */
function firstJumpRow({ tell, keep, wanted }: DebugRows): void {
  if (!wanted.has(FIRST_JUMP)) return;
  tell(`bench: ${FIRST_JUMP}`);
  const ours = measured("first jump");
  keep({ name: FIRST_JUMP, unit: "ms", goal: 20, goalOn: "ours", ours });
}

/** A cost that does not grow with the fields has a ratio of 1, one that does of 0.001. */
function lookRow({ tell, keep, wanted }: DebugRows): void {
  if (!wanted.has(LOOK)) return;
  tell(`bench: ${LOOK}`);
  const base = { name: "10 fields", values: measured("look 10") };
  keep({ name: LOOK, unit: "ms", goal: 0.2, goalOn: "ratio", ours: measured("look 10000"), base });
}

function measured(probe: StepProbe): readonly number[] {
  return figuresOf("../kernel/step-probe.ts", [probe, `${RUNS}`]);
}
