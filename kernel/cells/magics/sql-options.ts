/** Reads the options of `%%sql`, and the one of `%%python`. */
import type { Source } from "../../../dsl/index.ts";
import { magicOf } from "./magic-table.ts";
import type { MagicWord } from "./magic-words.ts";
import { countOption, type MagicCall, readMagic, wrongAt } from "./read-magic.ts";

export interface SqlOptions {
  readonly call: MagicCall;
  /** The name that later cells have the rows by. */
  readonly save?: string;
  readonly rowsMax?: number;
}

/**
 * Reads the options of the first line of a `%%sql` cell. Throws `WrongText` with the place for a
 * wrong one.
 */
export function readSqlOptions(source: Source): SqlOptions {
  const magic = magicOf("%%sql");
  if (magic === undefined) throw new Error("the table of magics has no `%%sql`");
  const call = readMagic(source, magic, source.text.indexOf("%%sql"));
  const save = call.options.get("--save");
  const rowsMax = countOption(call, "--rows");
  return {
    call,
    ...(save === undefined ? {} : { save: checkedName(call, save) }),
    ...(rowsMax === undefined ? {} : { rowsMax }),
  };
}

/** Reads `--save NAME`, the one option of a magic. */
export function readSaveOption(name: string, source: Source): string | undefined {
  const magic = magicOf(name);
  if (magic === undefined) throw new Error(`the table of magics has no \`${name}\``);
  const call = readMagic(source, magic, source.text.indexOf(name));
  const save = call.options.get("--save");
  return save && checkedName(call, save);
}

function checkedName({ source }: MagicCall, word: MagicWord): string {
  if (isVariableName(word.text)) return word.text;
  throw wrongAt(source, word, {
    code: "M7515",
    message: `\`${word.text}\` is no name of a variable`,
    hint: "as in `--save costs`: letters, digits and `_`, no digit first",
  });
}

function isVariableName(text: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text) && !RESERVED.has(text);
}

const RESERVED = new Set(
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield arguments eval exports require importModule importMeta".split(
    " ",
  ),
);
