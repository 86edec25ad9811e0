/** Random programs that run, with every construct that the engine has: for the laws. */
import fc from "fast-check";
import { type Constructs, programShape } from "./programs/shapes.ts";
import { writeProgram } from "./programs/write-program.ts";

/** What the engine runs and whose end no order of finishing changes. */
const CALM: Constructs = {
  need: false,
  endWhen: false,
  calls: true,
  detached: false,
  clauses: [],
  eachOptions: [],
  arrows: [],
  waits: [],
  items: [],
  statements: [],
};

/** And what makes the end a matter of who is first. */
const ALL: Constructs = {
  ...CALM,
  endWhen: true,
  need: true,
  detached: true,
  clauses: [
    ...["tell *", "every 1s until 2", "limit 3 errors", "approve before `Sure?`"],
    ...["every 1s..9s until total > 4 max 3", 'every 2s until "it is done" by m max 2'],
    ...["approve after when total > 1", "tell NODE as review"],
    ...["tell NODE as task { now: total, last }"],
  ],
  arrows: [" after 2s"],
  waits: [" after 3s"],
  items: ["feed(n)", "feed(n)", "helpers.feed"],
  eachOptions: [" need 1", " when check(n)", " parallel 2 when total < 30"],
};

/** The text of a random program of one graph, `Made`, and those that it calls. */
export function arbitraryProgram(): fc.Arbitrary<string> {
  const shape = fc.oneof(
    { weight: 3, arbitrary: programShape(CALM) },
    { weight: 1, arbitrary: programShape(ALL) },
  );
  return fc.noBias(shape).map((one) => writeProgram(one, ["work", "more"]));
}
