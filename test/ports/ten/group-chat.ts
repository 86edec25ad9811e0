/** The tool of the illustrator. */
import { tool } from "madrigal";

/** Paints a picture and gives its name. */
export const paint = tool((picture: string) => `${picture}.png`, { effect: "workspace" });
