/** Recognises texts that look like secrets: by form, by name, by randomness. */

/** Returns the marker that replaces a secret. */
export function marker(name: string): string {
  return `⟦secret:${name}⟧`;
}

/** `apiKey`, `x-api-key`, `Authorization`, `refresh_token`; not `key`, `tokens` or `inputTokens`. */
const keyName =
  /^(authorization|(set-?)?cookie|pass(word|wd|phrase)|secret|token|credentials?)$|(api|access|private|secret|signing)[-_ ]?key(id)?$|[-_a-z](secret|token|password|passwd|passphrase|credentials?)$/i;

/** Returns whether a value under this name is a secret; of a dotted name, as attributes have, the last part decides. */
export const isSecretName: (name: string) => boolean = remembering(
  (name) =>
    keyName.test(name) ||
    (name.includes(".") && keyName.test(name.slice(name.lastIndexOf(".") + 1))),
);

/** Names whose values are random and no secret: ids, hashes, signatures of content. */
const idName =
  /(^|[-_a-z])(id|ids|uuid|hash|sha\d*|digest|checksum|fingerprint|etag|revision|commit|cursor)$|(Id|Ids|Hash|Uuid)$/i;

/** Returns whether a value under this name may be random. */
export const isIdName: (name: string) => boolean = remembering((name) => idName.test(name));

const NAMES_MAX = 10_000;

/** The names of a program's members are few, and come again and again. */
function remembering(is: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= NAMES_MAX) known.clear();
    const now = is(name);
    known.set(name, now);
    return now;
  };
}

/** Tokens that say what they are: OpenAI, Anthropic, GitHub, GitLab, Slack, Stripe, AWS, Google, Hugging Face, npm, JSON Web Tokens. */
const tokenForms = [
  /\b[sp]k-[\w-]{20,}/g,
  /\b[sr]k_(?:live|test)_\w{16,}/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_)[\w-]{20,}/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\bA[KS]IA[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** Matches a part that each of them contains: most texts contain none, and are searched once instead of for each form. */
const inTokens =
  /[sp]k-|[sr]k_|gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox[abeprs]-|A[KS]IA|AIza|eyJ|-----BEGIN /;

/** By themselves, since a look behind at each place of a text takes longer than all other forms. */
const namedForms = [
  /\b(Bearer |Basic )[\w.~+/-]{16,}=*/gi,
  /(:\/\/[^\s:@/]{1,64}:)[^\s:@/]{3,}(?=@)/g,
  /\b((?:x-)?(?:api[-_]?key|access[-_]?key|client[-_]?secret|access[-_]?token|auth[-_]?token|password|passwd|secret)["']?\s?[:=]\s?["']?)(?=[^\s"',;&]*\d)(?=[^\s"',;&]*[a-z])[^\s"',;&⟦]{8,}/gi,
];

/** Without one of these there is none of them. */
const inNamed = /[:=]|bearer |basic /i;

/** No form of a token is shorter. */
const tokenLengthMin = 12;

/** A pattern that goes over tens of megabytes in one piece has no stack left to come back by. */
const partLengthMax = 1_000_000;
/** A part ends where no secret goes on, if there is such a place in so many characters. */
const partEndLength = 4_096;

/** A text without what has the form of a secret. `isId`: it stands under a name whose values are random. */
export function withoutForms(text: string, isId = false): string {
  let rest = text;
  const parts: string[] = [];
  while (rest.length > partLengthMax) {
    const length = partLength(rest);
    parts.push(withoutFormsIn(rest.slice(0, length), isId));
    rest = rest.slice(length);
  }
  const last = withoutFormsIn(rest, isId);
  return parts.length === 0 ? last : parts.join("") + last;
}

function partLength(text: string): number {
  const part = text.slice(0, partLengthMax);
  const key = part.lastIndexOf("-----BEGIN ");
  // Keys are on many lines.
  if (key > partLengthMax / 2 && part.indexOf("-----END ", key) === -1) return key;
  const end = part.slice(-partEndLength).search(/\s\S*$/);
  return end === -1 ? partLengthMax : partLengthMax - partEndLength + end;
}

function withoutFormsIn(text: string, isId: boolean): string {
  if (text.length < tokenLengthMin) return text;
  let rest = text;
  if (inTokens.test(text))
    for (const form of tokenForms) rest = rest.replace(form, marker("token"));
  if (inNamed.test(text))
    for (const form of namedForms) rest = rest.replace(form, `$1${marker("token")}`);
  return isId ? rest : withoutRandom(rest);
}

/**
 * Matches text that may be Base64, or a dotted name. Longer stretches are files and pictures as text; hashes have a
 * known form.
 */
const stretch = /[\w+/=.:-]{20,}/g;
const stretchLengthMax = 512;
const hashForm = /^sha\d+[-:=]/;

/** Letters and digits in one piece. */
const piece = /[A-Za-z\d]{20,}/g;
const pieceLength = 20;

/** Tells whether there is a piece: back from where it would end, so that most characters of words are never looked at. */
function hasPiece(text: string): boolean {
  for (let end = pieceLength - 1; end < text.length; ) {
    let at = end;
    while (at > end - pieceLength && isAlphanumeric(text.charCodeAt(at))) at -= 1;
    if (at === end - pieceLength) return true;
    end = at + pieceLength;
  }
  return false;
}

function isAlphanumeric(code: number): boolean {
  if (code < 58) return code > 47;
  return code < 91 ? code > 64 : code > 96 && code < 123;
}

/** Matches the beginning of ids of services, behind which random text is no secret. */
const idBefore =
  /(?:^|[^A-Za-z\d])(?:call|toolu|msg|resp|req|run|thread|item|rs|fc|asst|file|step|chatcmpl|cmpl|trace|span)[-_]$/;

function withoutRandom(text: string): string {
  if (!hasPiece(text)) return text;
  return text.replace(stretch, (found) =>
    found.length > stretchLengthMax || hashForm.test(found) ? found : withoutPieces(found),
  );
}

function withoutPieces(text: string): string {
  return text.replace(piece, (found, at: number) =>
    isRandom(found) && !idBefore.test(text.slice(Math.max(0, at - 12), at))
      ? marker("random")
      : found,
  );
}

/**
 * Returns whether letters and digits mix as in random text: both cases, digits, and mostly another kind from one
 * character to the next. Hashes and hexadecimal numbers have one case; names of code contain words.
 */
function isRandom(text: string): boolean {
  let changes = 0;
  let kinds = 0;
  let before = kindOf(text.charCodeAt(0));
  kinds |= before;
  for (let at = 1; at < text.length; at += 1) {
    const kind = kindOf(text.charCodeAt(at));
    kinds |= kind;
    if (kind !== before) changes += 1;
    before = kind;
  }
  return kinds === ALL_KINDS && changes >= (text.length - 1) * CHANGES_MIN;
}

const ALL_KINDS = 7;
/** Of random ones 62 % change; of names made of words with numbers in them 30 %, of odd ones 42 %. */
const CHANGES_MIN = 0.46;

function kindOf(code: number): 1 | 2 | 4 {
  if (code < 58) return 1;
  return code < 91 ? 2 : 4;
}
