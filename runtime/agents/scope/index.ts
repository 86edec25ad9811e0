/** Exports what other layers do with scopes, as one group of the door of runtime. */
export { findDocuments } from "../built-in-tools/docs-files.ts";
export { fileScopesOf, withFileScopes } from "./file-scopes.ts";
export { labelFault, labelledCalls } from "./labels.ts";
export { layeredScope } from "./layered-scope.ts";
export { offeredBy } from "./offered.ts";
export {
  attachSignatures,
  type ReadSignature,
  type ToolSignature,
  type UntoldSignature,
} from "./tool-signature.ts";
export { lacksSignature } from "./tools.ts";
