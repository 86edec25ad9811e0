/** Runs `%config`: shows each setting and where its value comes from, or sets one for this session. */
import { nearest } from "../../../dsl/index.ts";
import type { AtWork } from "../notebook.ts";
import { type Setting, type SettingKind, settingKinds } from "../settings.ts";
import { Listing } from "./listing.ts";
import type { MagicWord } from "./magic-words.ts";
import { type MagicCall, wrongAt } from "./read-magic.ts";

export function runConfig(call: MagicCall, { cell, notebook }: AtWork): unknown {
  const { settings } = notebook.parts;
  const [name, value] = wordsOf(call);
  const isReset = call.options.has("--reset");
  const kinds = name === undefined ? settingKinds : [kindOf(call, name)];
  for (const kind of kinds) {
    if (isReset) settings.reset(kind);
    else if (value !== undefined) {
      assertSettable(call, kind, value);
      settings.set(kind, value.text, cell.name);
    }
  }
  const shown = settings.all().filter(({ kind }) => kinds.includes(kind));
  return listed(shown, notebook.parts.session().workspace.root);
}

/** `%config model=rules` too. */
function wordsOf({ words }: MagicCall): readonly MagicWord[] {
  const [first, ...others] = words;
  const at = first?.text.indexOf("=") ?? -1;
  if (first === undefined || at < 1 || others.length > 0) return words;
  const middle = first.start + at;
  return [
    { text: first.text.slice(0, at), start: first.start, end: middle },
    { text: first.text.slice(at + 1), start: middle + 1, end: first.end },
  ];
}

function kindOf(call: MagicCall, word: MagicWord): SettingKind {
  const found = settingKinds.find(({ name, variable }) => [name, variable].includes(word.text));
  if (found !== undefined) return found;
  const names = settingKinds.map(({ name }) => name);
  const meant = nearest(word.text, names);
  throw wrongAt(call.source, word, {
    code: "M7512",
    message: `there is no setting \`${word.text}\``,
    hint:
      meant === undefined ? `the settings are ${names.join(", ")}` : `did you mean \`${meant}\`?`,
  });
}

function assertSettable(
  call: MagicCall,
  { name, takes, setBefore }: SettingKind,
  value: MagicWord,
) {
  if (takes === undefined) {
    throw wrongAt(call.source, value, {
      code: "M7513",
      message: `\`${name}\` can't be set in a session`,
      hint: setBefore ?? "it can only be read",
    });
  }
  if (takes.pattern.test(value.text)) return;
  throw wrongAt(call.source, value, {
    code: "M7513",
    message: `\`${name}\` can't be \`${value.text}\``,
    hint: `it takes ${takes.words}`,
  });
}

const COLUMNS = [
  { name: "setting", type: "VARCHAR", isUnbroken: true },
  { name: "value", type: "VARCHAR" },
  { name: "from", type: "VARCHAR", isUnbroken: true },
  { name: "what it is", type: "VARCHAR" },
];

function listed(settings: readonly Setting[], root: string): Listing {
  const rows = settings.map(({ kind, value, from }) => ({
    setting: kind.name,
    // Where it was found is worth more than that it was looked for.
    value: kind.name === "home" ? root : value,
    from,
    "what it is": kind.says,
  }));
  const caption =
    "`%config NAME VALUE` sets one for this session, `%config NAME --reset` takes that back";
  return new Listing(COLUMNS, rows, caption.replaceAll("`", ""));
}
