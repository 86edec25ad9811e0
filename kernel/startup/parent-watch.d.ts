/** Notices that the process which started this one is gone. */
export interface ParentView {
  /** The process that started this one, as the system says now. */
  readonly parent: () => number;
  readonly isAlive: (pid: number) => boolean;
  /** What Jupyter wrote into the environment; the front end itself, where a launcher stands between. */
  readonly frontEnd: number | undefined;
}

/** Says whether the parent is gone; asked again and again. */
export declare function createParentCheck(view?: ParentView): () => boolean;

/** Calls `gone` once; what it returns stops the watch. */
export declare function watchParent(gone: () => void, view?: ParentView): () => void;

/** What the system says, with the front end that Jupyter names. */
export declare function systemView(): ParentView;
