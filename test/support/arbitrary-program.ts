/** Random programs that run, with every construct that the engine has: for the laws. */
import fc from "fast-check";
import { type Constructs, programShape } from "./programs/shapes.ts";
import { writeProgram } from "./programs/write-program.ts";

/** All that the simulated driver can follow. */
export const CONSTRUCTS: Constructs = {
  need: false,
  calls: false,
  clauses: [],
  eachOptions: [],
  arrows: [" after 2s"],
};

/** The text of a random program of one graph, `Made`, and those that it calls. */
export function arbitraryProgram(constructs: Partial<Constructs> = {}): fc.Arbitrary<string> {
  return fc
    .noBias(programShape({ ...CONSTRUCTS, ...constructs }))
    .map((shape) => writeProgram(shape, ["work", "more"]));
}
