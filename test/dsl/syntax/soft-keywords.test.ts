/** All words but seven are names too, wherever a name stands. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  clauseWords,
  fileWords,
  graphWords,
  reservedWords,
  smallWords,
} from "../../../dsl/syntax/words.ts";
import { report } from "./reading.ts";

const softWords = [...new Set([...fileWords, ...graphWords, ...clauseWords, ...smallWords])];

function everywhere(word: string): string {
  // In an expression `not(a)` is a negation.
  const called = word === "not" ? "f" : word;
  return `
import { ${word} as ${word} } from "./x.ts"
model ${word} = ${word}.${word} { ${word}: ${word}, ${word} }
type ${word} = { ${word}: ${word} } | ${word}.${word}<${word}>
memory ${word}: ${word} by ${word}
graph ${word}(${word}: ${word} = ${word}) returns ${word}, ${word} {
  state {
    ${word}: ${word} = ${word} via ${word}(${word} => ${word})
    ${word}?: ${word}
  }
  agent ${word}(${word}: ${word}) {
    model ${word}
    tools ${word}, ${word}.${word}
    reads ${word}, ${word}
    writes ${word} = ${word} via ${word}, ${word}?
    recall ${word}
    set ${word} = ${word}, ${word} = ${called}(${word}: ${word})
  }
  run ${word} = ${word}(${word}) writes ${word}
  break after ${word}, ${word}
  limit 3m
  ${word} -> ${word} | ${word}(${word}) -> [${word}, ${word}]
  ${word} | ${word} -> ${word} max ${word} on ${word}
  [${word}, ${word}] -> ${word}
  ${word} -> { ${word} -> ${word}, ${word}.${word} > 1 -> ${word} }
  ${word} -> each ${word} of ${word} { ${word}(${word}) }
}
test "x" of ${word} {
  given ${word} = ${word}
  ${word} says 1
  expect path ${word} -> ${word}
  expect ${word}.${word} == 1
}
`;
}

test.each(softWords)("%s is a name wherever a name stands", (word) => {
  expect(report(everywhere(word))).toBe("");
});

test.each(reservedWords)("%s is never a name", (word) => {
  expect(report(`type ${word} = string`)).toMatch(/^M1106 1:6 /);
});

test("so is a word that begins like a keyword", () => {
  fc.assert(
    fc.property(fc.constantFrom(...softWords, ...reservedWords), (word) => {
      expect(report(everywhere(`${word}s_1`))).toBe("");
    }),
  );
});
