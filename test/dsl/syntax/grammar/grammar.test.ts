import { EmbeddedActionsParser, Lexer } from "chevrotain";
import { expect, test } from "vitest";
import { FileParser } from "../../../../dsl/syntax/grammar/file.ts";
import { tokenize } from "../../../../dsl/syntax/lexer.ts";
import { TabledLookahead } from "../../../../dsl/syntax/lookahead.ts";
import * as token from "../../../../dsl/syntax/tokens.ts";
import { lexerDefinition } from "../../../../dsl/syntax/tokens.ts";
import { programs, report } from "../reading.ts";

test("Chevrotain finds nothing ambiguous in the grammar", () => {
  expect(() => new FileParser({ validate: true })).not.toThrow();
});

test("Chevrotain finds no fault in the tokens", () => {
  expect(() => new Lexer(lexerDefinition, { positionTracking: "full" })).not.toThrow();
});

test.each(programs)("$file parses without a finding", ({ text }) => {
  expect(report(text)).toBe("");
});

test("there are six programs", () => {
  expect(programs.map(({ file }) => file)).toHaveLength(6);
});

/** A grammar that the table was not made of, with a rule whose name the table has. */
class OtherGrammar extends EmbeddedActionsParser {
  readonly binary = this.RULE("binary", () =>
    this.OR([
      { ALT: () => this.CONSUME(token.Comma).image },
      { ALT: () => this.CONSUME(token.Colon).image + this.CONSUME(token.Dot).image },
      { ALT: () => this.CONSUME1(token.Colon).image + this.CONSUME1(token.Comma).image },
    ]),
  );

  constructor() {
    super(token.lexerDefinition, {
      lookaheadStrategy: new TabledLookahead({ maxLookahead: 2 }),
      maxLookahead: 2,
    });
    this.performSelfAnalysis();
  }
}

test.each([",", ":.", ":,"])("a table that was made of other rules is not used: %s", (text) => {
  const parser = new OtherGrammar();
  parser.input = tokenize(text).tokens;
  expect([parser.binary(), parser.errors]).toEqual([text, []]);
});
