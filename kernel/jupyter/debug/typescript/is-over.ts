/** Makes the error for a frame or a reference of a stop that is over. */
import { CommandError } from "../../../command-error.ts";

/** For a frame or a reference of a stop that is over. */
export function isOver(): CommandError {
  return new CommandError("M7763", "this is of a stop that is over: the cell has gone on since", {
    hint: "look at the frames and variables of the stop that there is now",
  });
}
