/** Programs with one token changed, the same ones for the same seed. */
import { tokenize } from "../../../dsl/syntax/lexer.ts";
import { programs } from "./reading.ts";

export interface Mutant {
  readonly what: string;
  readonly text: string;
  /** Where the token is that was changed. */
  readonly at: number;
}

/** `count` mutants of the six programs. */
export function* mutants(seed: number, count: number): Generator<Mutant> {
  const pick = picker(seed);
  const sources = programs.map(({ file, text }) => ({ file, text, tokens: tokenize(text).tokens }));
  for (let number = 0; number < count; number++) {
    const { file, text, tokens } = pick(sources);
    const token = pick(tokens);
    const { startOffset: start, image } = token;
    const [how, changed] = pick(changes)(image, pick(tokens).image);
    const what = `${file} at ${start}: ${how}`;
    const after = text.slice(start + image.length);
    yield { what, text: text.slice(0, start) + changed + after, at: start };
  }
}

type Change = (image: string, other: string) => readonly [string, string];

const changes: readonly Change[] = [
  (image) => [`without ${image}`, ""],
  (image) => [`${image} twice`, `${image} ${image}`],
  (image, other) => [`${other} for ${image}`, other],
  (image) => [`${image} misspelt`, `${image.slice(0, 1)}qz${image.slice(1)}`],
];

// xorshift: small, and the same on every machine.
function picker(seed: number): <Item>(items: readonly Item[]) => Item {
  let state = seed === 0 ? 1 : seed;
  return (items) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const item = items[(state >>> 0) % items.length];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
}
