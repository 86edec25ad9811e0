/** A declaration of a file as IR, in the names of the file that it is used in. */
import type { EntryIr, ImportIr, McpIr, MemoryIr, ModelIr, TypeIr } from "../ir/ir.ts";

export type Declaration = {
  /** As the IR of this file's graphs calls it. */
  readonly name: string;
  /** The file and the name that it was declared under: the same one, by whatever way it comes. */
  readonly origin: string;
} & (
  | { readonly kind: "model"; readonly item: ModelIr }
  | { readonly kind: "mcp"; readonly item: McpIr }
  | { readonly kind: "type"; readonly item: { readonly name: string; readonly type: TypeIr } }
  | { readonly kind: "config"; readonly item: EntryIr }
  | { readonly kind: "memory"; readonly item: MemoryIr }
  | {
      readonly kind: "import";
      readonly item: ImportIr;
      /** The import as it was written: its path is meant from that file. */
      readonly written: { readonly file: string; readonly from: string };
    }
);

export type DeclarationOf<K extends Declaration["kind"]> = Extract<
  Declaration,
  { readonly kind: K }
>;

/** Returns the declarations of one kind. */
export function ofKind<K extends Declaration["kind"]>(
  declarations: readonly Declaration[],
  kind: K,
): readonly DeclarationOf<K>[] {
  return declarations.filter((one): one is DeclarationOf<K> => one.kind === kind);
}

/** The same declaration under another name. */
export function called(declaration: Declaration, name: string): Declaration {
  switch (declaration.kind) {
    case "config":
      return { ...declaration, name, item: { ...declaration.item, key: name } };
    case "import":
      return { ...declaration, name, item: { ...declaration.item, as: name } };
    case "model":
      return { ...declaration, name, item: { ...declaration.item, name } };
    case "mcp":
      return { ...declaration, name, item: { ...declaration.item, name } };
    case "type":
      return { ...declaration, name, item: { ...declaration.item, name } };
    case "memory":
      return { ...declaration, name, item: { ...declaration.item, name } };
  }
}
