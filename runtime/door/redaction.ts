/** Groups for the door what hides secrets and private values from people. */
export { hidden } from "../redaction/private-values.ts";
export { createRedactor, redactForTrace, secretsOf } from "../redaction/redact.ts";
export { withoutForms } from "../redaction/secret-forms.ts";
export {
  type EventShower,
  eventShower,
  type Showing,
  shownOutput,
  shownValue,
} from "../redaction/show-to-people.ts";
