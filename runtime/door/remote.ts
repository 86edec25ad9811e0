/** Groups for the door what travels between A2A agents, and what an agent needs to call others back. */
export { isEnvelopePart } from "../agents/a2a/envelope-parts.ts";
export {
  type A2aMessage,
  dataOf,
  partFor,
  QUESTION_KEY,
  SCHEMAS_EXTENSION,
  textOfParts,
  type WireEvent,
  type WirePart,
  type WireTask,
} from "../agents/a2a/wire.ts";
export { assertWebUrl, requestGuarded } from "../agents/web/guarded-request.ts";
export {
  assertPublicHost,
  declaredHosts,
  isDeclaredHost,
} from "../agents/web/reachable-addresses.ts";
