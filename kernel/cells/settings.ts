/** Holds the settings of a session, each with its value and where the value comes from. */

export type Environment = Record<string, string | undefined>;

export interface SettingKind {
  readonly name: string;
  readonly says: string;
  /** The variable that it is read from. */
  readonly variable?: string;
  /** The words for its value where it is not set. */
  readonly otherwise: string;
  /** The values that it accepts; a setting without this is listed and can't be set here. */
  readonly takes?: {
    readonly pattern: RegExp;
    readonly words: string;
    readonly values?: readonly string[];
  };
  /** The way to set it outside of a session. */
  readonly setBefore?: string;
}

export const settingKinds: readonly SettingKind[] = [
  {
    name: "model",
    says: "the model that answers for every alias of a graph",
    variable: "MADRIGAL_MODEL",
    otherwise: "as each graph says",
    takes: {
      pattern: /^(?:rules|scripted|cassette:.+|[\w.-]+\/.+)$/,
      words: "`rules`, `cassette:FILE` or `PROVIDER/MODEL`",
      values: ["rules"],
    },
  },
  {
    name: "docs",
    says: "the folder of documents that `docs` searches",
    variable: "MADRIGAL_DOCS",
    otherwise: "node_modules of the project",
    takes: { pattern: /./, words: "a folder" },
  },
  {
    name: "rows",
    says: "the greatest number of rows that a `%%sql` cell reads",
    otherwise: "10000",
    takes: { pattern: /^[1-9]\d{0,8}$/, words: "a whole number from 1" },
  },
  {
    name: "draw",
    says: "whether a run is drawn in the cell that starts it",
    otherwise: "on",
    takes: { pattern: /^(?:on|off)$/, words: "`on` or `off`", values: ["on", "off"] },
  },
  {
    name: "reload",
    says: "whether edited modules of the notebook's folder are read again before a cell runs",
    otherwise: "on",
    takes: { pattern: /^(?:on|off)$/, words: "`on` or `off`", values: ["on", "off"] },
  },
  {
    name: "reactive",
    says: "whether cells that depend on what a cell or an input has changed run again by themselves",
    otherwise: "off",
    takes: { pattern: /^(?:on|off)$/, words: "`on` or `off`", values: ["on", "off"] },
  },
  {
    name: "home",
    says: "the folder whose `.madrigal` holds runs and traces",
    variable: "MADRIGAL_HOME",
    otherwise: "found from the working folder",
    setBefore: "set MADRIGAL_HOME before the kernel starts: the stores are open",
  },
];

export interface Setting {
  readonly kind: SettingKind;
  readonly value: string;
  /** `default`, a variable of the environment, or the cell that set it. */
  readonly from: string;
}

interface SettingChange {
  readonly value: string;
  readonly from: string;
  /** The value of the environment variable before the setting. */
  readonly before: string | undefined;
}

/** The settings of one session. Those of a variable are set in the environment itself, where whoever needs them reads them. */
export class Settings {
  readonly env: Environment;
  readonly #atStart: Environment;
  readonly #given = new Map<string, SettingChange>();

  constructor(env: Environment) {
    this.env = env;
    this.#atStart = { ...env };
  }

  all(): readonly Setting[] {
    return settingKinds.map((kind) => this.#setting(kind));
  }

  get(name: string): string {
    const kind = settingKinds.find((one) => one.name === name);
    return kind === undefined ? "" : this.#setting(kind).value;
  }

  get rowsMax(): number {
    return Number(this.get("rows"));
  }

  get isDrawing(): boolean {
    return this.get("draw") !== "off";
  }

  get isReloading(): boolean {
    return this.get("reload") !== "off";
  }

  get isReactive(): boolean {
    return this.get("reactive") === "on";
  }

  /** Sets what `kind.takes`; `from` says who did. */
  set({ name, variable }: SettingKind, value: string, from: string): void {
    const before = this.#given.get(name);
    const own = variable === undefined ? undefined : this.env[variable];
    this.#given.set(name, { value, from, before: before === undefined ? own : before.before });
    if (variable !== undefined) this.env[variable] = value;
  }

  /** Takes back what `set` did. */
  reset({ name, variable }: SettingKind): void {
    const given = this.#given.get(name);
    if (given === undefined) return;
    this.#given.delete(name);
    if (variable === undefined) return;
    if (given.before === undefined) delete this.env[variable];
    else this.env[variable] = given.before;
  }

  #setting(kind: SettingKind): Setting {
    const { name, variable, otherwise } = kind;
    const given = this.#given.get(name);
    const value = variable === undefined ? given?.value : this.env[variable];
    if (value === undefined || value === "") return { kind, value: otherwise, from: "default" };
    if (given?.value === value) return { kind, value, from: given.from };
    const isChanged = variable !== undefined && this.#atStart[variable] !== value;
    return { kind, value, from: isChanged ? `process.env.${variable}` : (variable ?? "default") };
  }
}
