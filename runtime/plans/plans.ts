/** Plans of other systems, for programs and notebooks. */
import { planLevels } from "../../dsl/index.ts";
import { readPlan, writePlan } from "./convert-plan.ts";
import { readEkoPlanSoFar } from "./eko-plan.ts";
import { mergePlans } from "./merge-plans.ts";

export const plans = {
  /** Reads a plan from a planner's text or object, in one of four formats. */
  read: readPlan,
  /** Reads the XML of Eko's planner as far as it has come. */
  readEkoSoFar: readEkoPlanSoFar,
  /** Writes a plan in one of the formats. */
  write: writePlan,
  /** Joins the done steps of a plan with a plan for what is left. */
  merge: mergePlans,
  /** The ids of the steps by when they can begin. */
  levels: planLevels,
};
