/** The facts about tools and people around a program that a check may be given. */

/** What a tool or function may touch: nothing, the workspace, the world outside. */
export type Effect = "none" | "workspace" | "external";

/** A tool that no model can be given. */
export interface UntoldTool {
  /** As a program would write it: `docs.search`. */
  readonly name: string;
  readonly fault: string;
}

/** What is known of the world around a text. What is absent nobody knows, and nothing is concluded from it. */
export interface Surroundings {
  /** What the tools and functions of the scope may touch, by dotted name. */
  readonly effects?: Readonly<Record<string, Effect>> | undefined;
  /** Why no model can be told what a tool takes, or one of the tools of a group; undefined where it can. */
  readonly untold?: ((tool: readonly string[]) => UntoldTool | undefined) | undefined;
  /** Who answers questions. An empty list declares a run that nobody attends. */
  readonly people?: readonly string[] | undefined;
}
