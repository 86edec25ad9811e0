/** The tool that refunds a flight. */
import { tool } from "madrigal";

/** Refunds a flight. */
export const refundFlight = tool((flight: string) => `${flight} is refunded`, {
  effect: "external",
});
