/** Notices that the process which started this one is gone. */
export interface ParentView {
  /** The process that started this one, as the system says now. */
  readonly parent: () => number;
  readonly isAlive: (pid: number) => boolean;
  /**
   * The process id of the front end, which Jupyter wrote into the environment; differs from the
   * parent if a launcher is between them.
   */
  readonly frontEnd: number | undefined;
}

/** Says whether the parent is gone; asked again and again. */
export declare function createParentCheck(view?: ParentView): () => boolean;

/** Calls `gone` once; what it returns stops the watch. */
export declare function watchParent(gone: () => void, view?: ParentView): () => void;

/** Says whether a process runs, whoever owns it. */
export declare function isProcessAlive(pid: number): boolean;

/** Reads the parent from the system, and the front end from Jupyter's variable. */
export declare function systemView(): ParentView;
