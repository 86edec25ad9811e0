/** The facts about tools and people around a program that a check may be given. */
import type { JsonSchema } from "../ir/ir.ts";

/**
 * The part of the world that a tool or function may change: nothing, the workspace, the world
 * outside.
 */
export type Effect = "none" | "workspace" | "external";

/** A tool that no model can be given. */
export interface UntoldTool {
  /** As a program would write it: `docs.search`. */
  readonly name: string;
  readonly fault: string;
}

/** A tool as a description tells of it. */
export interface DescribedTool {
  /** As the description names it: `GET /forecast/{city}`. */
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** Absent where nothing is said of a result, or anything may come. */
  readonly output?: JsonSchema;
}

/** An API as its description tells of it, or what is wrong with that and where. */
export type ApiReading =
  | {
      /** The effect of each operation, by its name in programs. */
      readonly operations: Readonly<Record<string, Effect>>;
      /** The same operations with what they take and return, where that is looked at. */
      readonly tools?: Readonly<Record<string, DescribedTool>>;
    }
  | {
      readonly fault: string;
      readonly hint?: string;
      readonly at?: {
        readonly file: string;
        readonly line: number;
        readonly column: number;
        readonly message: string;
      };
    };

/** The reason why a skill can't be used. */
export interface SkillFault {
  readonly message: string;
  readonly hint?: string | undefined;
}

/**
 * The known facts about the world around a text. Nothing is concluded from a fact that is absent.
 */
export interface Surroundings {
  /** The effects of the scope's tools and functions, by dotted name. */
  readonly effects?: Readonly<Record<string, Effect>> | undefined;
  /**
   * Returns the reason why a tool, or one of a group, has no parameters that a model can be given;
   * undefined if it has them.
   */
  readonly toolFault?: ((tool: readonly string[]) => UntoldTool | undefined) | undefined;
  /** Returns the name of a tool, or of one of a group, that is known to say nowhere what it is for. */
  readonly undescribed?: ((tool: readonly string[]) => string | undefined) | undefined;
  /** Reads the description of an API, a file that the file `importer` names; undefined where it is not looked at. */
  readonly apis?: ((description: string, importer: string) => ApiReading | undefined) | undefined;
  /** Returns the reason why a skill that the file `importer` names can't be used; undefined if it can. */
  readonly skills?: ((skill: string, importer: string) => SkillFault | undefined) | undefined;
  /** The people who answer questions. An empty list declares a run that nobody attends. */
  readonly people?: readonly string[] | undefined;
}
