/** Text that reads like an agent's notes and costs nothing to make: slices of one page. */
import { seeded } from "../../../runtime/explore/seeded.ts";

const VOCABULARY =
  `the a of to in and is that for it as with on by be at this from which not have an are was or
budget route review search index query claim source evidence package module function graph node edge state field
commit step retry model token prompt answer tool result error timeout latency cost thread message report finding
question reason part section heading quote file line version change release issue merge branch test build cache
store table column row event span trace run agent plan task item list value name type number text page document
reads writes says means gives takes shows finds holds keeps makes needs calls waits ends begins follows differs
because while until before after between above below first last next same other many few each every some none
slow fast large small open closed known unknown possible likely rare common stable broken empty whole true false
does can may must should would never always often only also however therefore instead together apart again still`
    .split(/\s+/)
    .filter((word) => word !== "");

const PAGE_WORDS = 12_000;

/** The words of a seed, always the same. */
export interface Words {
  /** About so many characters, of whole words but the last; needs no escape in JSON. */
  text(length: number): string;
  word(): string;
}

/** One page of words, and where to begin on it. */
export function wordsOf(random: () => number): Words {
  const next = seeded(Math.floor(random() * 2 ** 31));
  const page = Array.from({ length: PAGE_WORDS }, () => wordBy(next)).join(" ");
  return {
    text(length) {
      const begin = Math.floor(random() * Math.max(1, page.length - length));
      return page.slice(begin, begin + length);
    },
    word: () => wordBy(random),
  };
}

function wordBy(random: () => number): string {
  // The square makes the first words frequent, as in speech.
  return VOCABULARY[Math.floor(random() ** 2 * VOCABULARY.length)] ?? "word";
}
