/** Writes the types of values as completions and explanations show them. */
import { SyntaxKind } from "typescript/unstable/ast";
import {
  type Checker,
  type Emitter,
  NodeBuilderFlags,
  type Signature,
  SignatureKind,
  type Type,
  TypeFlags,
} from "typescript/unstable/sync";

/** The parts of TypeScript 7 that answer for the types of a cell. */
export interface TypeTeller {
  readonly checker: Checker;
  readonly emitter: Emitter;
}

/** Returns how a value is called: `(name: string): void`, and the number of its other signatures; undefined of what nobody calls. */
export function callText(
  type: Type,
  by: TypeTeller,
): { readonly text: string; readonly others: number } | undefined {
  if ((type.flags & TypeFlags.StructuredType) === 0) return undefined;
  const [first, ...others] = by.checker.getSignaturesOfType(type, SignatureKind.Call);
  const text = first && signatureText(first, by);
  if (text === undefined) return undefined;
  return { text: text.replaceAll(/\s*\n\s*/g, " "), others: others.length };
}

export function signatureText(signature: Signature, { checker, emitter }: TypeTeller) {
  const written = checker.signatureToSignatureDeclaration(
    signature,
    SyntaxKind.CallSignature,
    undefined,
    NodeBuilderFlags.IgnoreErrors | NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope,
  );
  // The printer begins a new line for each part of a tuple.
  return (
    written &&
    emitter
      .printNode(written)
      .replace(/;$/, "")
      .replaceAll(/\[\n\s*/g, "[")
      .replaceAll(/\n\s*\]/g, "]")
      .replaceAll(/,\n\s*/g, ", ")
  );
}
