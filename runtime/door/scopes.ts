/** Groups for the door what builds the TypeScript scope of a program and reads the signatures of its tools. */
export { findDocuments } from "../agents/built-in-tools/docs-files.ts";
export { fileScopesOf, withFileScopes } from "../agents/scope/file-scopes.ts";
export { labelFault, labelledCalls } from "../agents/scope/labels.ts";
export { layeredScope, scopeOverBuiltIn } from "../agents/scope/layered-scope.ts";
export { offeredBy } from "../agents/scope/offered.ts";
export {
  attachSignatures,
  type ReadSignature,
  type ToolSignature,
  type UntoldSignature,
} from "../agents/scope/tool-signature.ts";
export { lacksSignature } from "../agents/scope/tools.ts";
