/** Names the formats of plans, and says that a text is in none of them. */
import type { Plan } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";

/**
 * `json` is a `Plan` as the language has it; `eko` the XML of Eko's planner, `aworld` the steps and `dag` of AWorld between its
 * tags, `magentic` the JSON of Magentic-UI's orchestrator.
 */
export type PlanFormat = "aworld" | "eko" | "json" | "magentic";

/** The parts of a planner's answer. */
export interface PlannerAnswer {
  readonly plan?: Plan;
  readonly answer?: string;
}

const EXAMPLES: Readonly<Record<PlanFormat, string>> = {
  aworld:
    '<PLANNING_TAG>{"steps": {"a": {"id": "searcher", "input": "…"}}, "dag": ["a"]}</PLANNING_TAG>',
  eko: '<root><name>…</name><agents><agent name="Browser" id="0" dependsOn=""><task>…</task></agent></agents></root>',
  json: '{ "steps": [ { "id": "a", "title": "…", "details": "…" } ] }',
  magentic:
    '{ "needs_plan": true, "steps": [ { "title": "…", "details": "…", "agent_name": "…" } ] }',
};

/** The error for a text without a plan of a format. */
export function noPlanIn(format: PlanFormat, reason: string): RunError {
  return new RunError("M5040", `the text is no plan of the format \`${format}\`: ${reason}`, {
    hint: `such a plan is ${EXAMPLES[format]}`,
  });
}
