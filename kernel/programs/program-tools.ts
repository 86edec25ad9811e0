/** Reads the parameters of a program's tools, from the compiler or its cached answers. */
import type { AskedTool, FoundSignature } from "../types/named/read-signatures.ts";
import { openTypes } from "./open-types.ts";

/** Finds what tools take; `path` is the program's, absolute. */
export type FindSignatures = (
  path: string,
  asked: readonly AskedTool[],
) => Promise<readonly FoundSignature[]>;

/** The compiler, which takes a second to load, is only asked where the files have changed. */
export const findSignatures: FindSignatures = async (path, asked) =>
  asked.length === 0 ? [] : (await openTypes()).signaturesOf(path, asked);
