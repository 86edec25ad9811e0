/** Makes the error for a frame or a reference of a stop that is over. */
import { CommandError } from "../../../command-error.ts";

/** Returns the error M7763 about a frame or a reference of a stop that is over. */
export function isOver(): CommandError {
  return new CommandError(
    "M7763",
    "this belongs to an earlier stop: the cell has continued since",
    {
      hint: "look at the frames and variables of the current stop",
    },
  );
}
