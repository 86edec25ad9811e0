/** Groups for the door what compares values with JSON Schemas. */
export { describeMisfit, misfits } from "../state/json-schema.ts";
