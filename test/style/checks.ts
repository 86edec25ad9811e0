/** Runs the checks of the house that have a list of exceptions: the name of the list, and what the check finds now. */
import { countFindings, type Findings } from "./findings.ts";
import { findBadHeaders } from "./headers.ts";
import { findBannedNames, findBannedValues, findSharedTypeNames } from "./names.ts";
import { findLargeFolders, findLongReadmes } from "./sizes.ts";
import { documents, productFiles, sourceFiles } from "./sources.ts";

export const checks = {
  headers: () => countFindings(findBadHeaders(productFiles)),
  folders: () => findLargeFolders(sourceFiles),
  readmes: () => findLongReadmes(documents),
  "banned-names": () => findBannedNames(productFiles),
  "banned-values": () => findBannedValues(productFiles),
  "type-names": () => findSharedTypeNames(productFiles),
} as const satisfies Record<string, () => Findings>;
