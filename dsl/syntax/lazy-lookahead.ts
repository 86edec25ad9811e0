/**
 * Builds Chevrotain's lookahead of a choice when the parser first comes to it. Building all of them takes longer than reading
 * a program of a hundred lines, which uses half of the grammar.
 */
import { type BaseParser, type ILookaheadStrategy, LLkLookaheadStrategy } from "chevrotain";

type Alternation = Parameters<ILookaheadStrategy["buildLookaheadForAlternation"]>[0];
type Optional = Parameters<ILookaheadStrategy["buildLookaheadForOptional"]>[0];

export class LazyLookahead extends LLkLookaheadStrategy {
  override buildLookaheadForAlternation(choice: Alternation) {
    return whenFirstCalled(() => super.buildLookaheadForAlternation(choice));
  }

  override buildLookaheadForOptional(choice: Optional) {
    return whenFirstCalled(() => super.buildLookaheadForOptional(choice));
  }
}

/** Chevrotain calls what `make` returns with the parser as `this`. */
function whenFirstCalled<Args extends unknown[], Result>(
  make: () => (...args: Args) => Result,
): (...args: Args) => Result {
  let made: ((...args: Args) => Result) | undefined;
  return function (this: BaseParser, ...args: Args): Result {
    made ??= make();
    return made.apply(this, args);
  };
}
