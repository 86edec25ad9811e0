/** Keeps the tokens of a server in a file that its owner alone can read, one for each role. */
import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { isRecord } from "../../dsl/index.ts";
import { messageOf } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { ROLES, type Role } from "./roles.ts";

export type RoleTokens = Readonly<Record<Role, string>>;

/** A text that is no key of anybody's: long enough not to be guessed. */
const LENGTH_MIN = 24;

/** Reads the tokens, or makes the file; `isNew` says that nobody has seen them yet. Throws M7776. */
export function openTokens(path: string): { readonly tokens: RoleTokens; readonly isNew: boolean } {
  return written(path) ?? { tokens: read(path), isNew: false };
}

function written(path: string): { readonly tokens: RoleTokens; readonly isNew: true } | undefined {
  const tokens = Object.fromEntries(
    ROLES.map((role) => [role, randomBytes(24).toString("base64url")]),
  ) as unknown as RoleTokens;
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw wrong(path, messageOf(cause), cause);
  }
  writeSync(file, `${JSON.stringify(tokens, null, 2)}\n`);
  closeSync(file);
  return { tokens, isNew: true };
}

/** Looks at the file that it has open, which nobody can put another one in the place of. */
function read(path: string): RoleTokens {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (cause) {
    throw wrong(path, messageOf(cause), cause);
  }
  try {
    if (process.platform !== "win32" && (fstatSync(file).mode & 0o077) !== 0)
      throw wrong(path, "others than its owner may read it");
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    const isWhole = (role: Role) =>
      isRecord(found) && typeof found[role] === "string" && found[role].length >= LENGTH_MIN;
    const missing = ROLES.find((role) => !isWhole(role));
    if (missing !== undefined)
      throw wrong(path, `it has no token of ${LENGTH_MIN} letters for the role \`${missing}\``);
    return found as RoleTokens;
  } catch (thrown) {
    throw thrown instanceof CommandError ? thrown : wrong(path, messageOf(thrown), thrown);
  } finally {
    closeSync(file);
  }
}

function wrong(path: string, why: string, cause?: unknown): CommandError {
  return new CommandError("M7776", `the tokens in \`${path}\` can't be taken: ${why}`, {
    hint: "delete the file, and the next start makes new tokens; or `chmod 600` it",
    exitCode: EXIT.wrong,
    cause,
  });
}
