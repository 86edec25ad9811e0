/** Attaches to tools what was read of their TypeScript: descriptions and input schemas. */
import type { DottedIr, JsonSchema } from "../../../dsl/index.ts";
import { parameterNames } from "./parameter-names.ts";

/** The parameters of a tool's function as a model is told of them. */
export interface ToolSignature {
  /** JSON Schema of an object. */
  readonly input: JsonSchema;
  /** In their order, where the function takes its arguments one by one; otherwise it takes the object itself. */
  readonly parameters?: readonly string[];
  readonly description?: string;
}

/** The reason why a tool has no input schema: `its parameter \`when\` is a \`Date\`, which JSON does not have`. */
export interface UntoldSignature {
  readonly fault: string;
}

/** The signature of a tool as its types give it; a tool with an `input` needs the description alone. */
export type ReadSignature = Partial<ToolSignature & UntoldSignature>;

/** Finds the signature of a tool of a scope; undefined where its types are not known. */
export type SignatureLookup = (name: DottedIr) => ReadSignature | undefined;

export const SIGNATURES = Symbol("signatures of the tools of a scope");

interface WithSignatures {
  readonly [SIGNATURES]?: SignatureLookup;
}

/** Lets a scope know what its tools take. */
export function attachSignatures(scope: object, signatures: SignatureLookup): void {
  Object.assign(scope, { [SIGNATURES]: signatures });
}

/** Returns the signature that TypeScript has for the tool of this name. */
export function signatureIn(scope: object, name: DottedIr): ReturnType<SignatureLookup> {
  return (scope as WithSignatures)[SIGNATURES]?.(name);
}

/** The signature of a function without parameters: its text says so much. */
export function signatureWithoutParameters(fn: unknown): ToolSignature | undefined {
  if (typeof fn !== "function") return undefined;
  const known = withoutParameters.get(fn);
  const isOne = known ?? parameterNames(fn as () => unknown)?.length === 0;
  if (known === undefined) withoutParameters.set(fn, isOne);
  return isOne ? { input: NO_INPUT } : undefined;
}

/** Read once: each attempt resolves its tools anew. */
const withoutParameters = new WeakMap<object, boolean>();

const NO_INPUT: JsonSchema = {
  type: "object",
  properties: {},
  required: [],
  additionalProperties: false,
};
