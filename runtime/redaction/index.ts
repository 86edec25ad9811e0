/** Exports what hides secrets and private values from people, as one group of the door of runtime. */
export { hidden } from "./private-values.ts";
export { redactForTrace } from "./redact.ts";
export { type EventShower, eventShower, type Showing, shownValue } from "./show-to-people.ts";
