/** What a tool or function may touch: nothing, the workspace, the world outside. */
export type Effect = "none" | "workspace" | "external";

/** What is known of the world around a text. What is absent nobody knows, and nothing is concluded from it. */
export interface Surroundings {
  /** What the tools and functions of the scope may touch, by dotted name. */
  readonly effects?: Readonly<Record<string, Effect>> | undefined;
  /** Who answers questions. An empty list declares a run that nobody attends. */
  readonly people?: readonly string[] | undefined;
}
