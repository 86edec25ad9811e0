/** Declares the part of the Debug Adapter Protocol about stopped threads that front ends read. */

export interface ProtocolFrame {
  readonly id: number;
  readonly name: string;
  /** Lines and columns from 1; line 0 where no text is known. */
  readonly line: number;
  readonly column: number;
  readonly source?: { readonly path: string; readonly name?: string };
}

export interface VariableScope {
  readonly name: string;
  readonly variablesReference: number;
  readonly expensive: boolean;
}

export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  readonly evaluateName?: string;
  /** 0 for what has nothing inside. */
  readonly variablesReference: number;
}

export interface Evaluated {
  readonly result: string;
  readonly type: string;
  readonly variablesReference: number;
}

/** The range of child variables that is requested; all of them without one. */
export interface Paging {
  readonly start?: number;
  readonly count?: number;
}

/** Forms of a value by mime type. */
export interface Rendered {
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An event that may stop a run besides breakpoints, as a menu of the front end offers it. */
export interface ExceptionFilter {
  readonly filter: string;
  readonly label: string;
}

export type MoveVerb = "next" | "stepIn" | "stepOut" | "continue";

/** The treatment of stopped threads when the debugger disconnects. */
export type DisconnectKind = "go on" | "abort";
