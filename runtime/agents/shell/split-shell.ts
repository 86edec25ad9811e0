/** Splits a command line of a shell into its simple commands, and says what it could not understand. */

/** One word of a command, as the shell takes it. */
export interface ShellWord {
  /** Without its quotes. */
  readonly text: string;
  /** True if the shell puts something else in its place: a variable, a pattern, the output of a command. */
  readonly isExpanded: boolean;
}

/** One command with its words, and the files that it writes. */
export interface SimpleCommand {
  readonly words: readonly ShellWord[];
  readonly writesTo: readonly ShellWord[];
  readonly readsFrom: readonly ShellWord[];
  /** True if the output of the command before it is its input. */
  readonly isPiped: boolean;
}

/** A command line in parts. */
export interface ShellParts {
  readonly commands: readonly SimpleCommand[];
  /** The command lines within it: what stands in `$( )`, backticks and `( )`. */
  readonly inner: readonly string[];
  /** The part that is not understood, in words; such a line is not known to be harmless. */
  readonly unclear?: string;
}

interface CommandDraft {
  words: ShellWord[];
  writesTo: ShellWord[];
  readsFrom: ShellWord[];
  isPiped: boolean;
}

/** Splits a command line; never throws. */
export function splitShell(line: string): ShellParts {
  return new ShellSplitter(line).split();
}

class ShellSplitter {
  readonly #line: string;
  #at = 0;
  readonly #commands: CommandDraft[] = [newCommand(false)];
  readonly #inner: string[] = [];
  #unclear: string | undefined;

  constructor(line: string) {
    this.#line = line;
  }

  split(): ShellParts {
    while (this.#at < this.#line.length) this.#next();
    const commands = this.#commands.filter(
      ({ words, writesTo, readsFrom }) => words.length + writesTo.length + readsFrom.length > 0,
    );
    const unclear = this.#unclear;
    return { commands, inner: this.#inner, ...(unclear === undefined ? {} : { unclear }) };
  }

  get #command(): CommandDraft {
    return this.#commands.at(-1) as CommandDraft;
  }

  #next(): void {
    const rest = this.#line.slice(this.#at);
    const blank = /^(?:[ \t]+|\\\n|#[^\n]*)/.exec(rest);
    const redirect = /^(\d*)(<<<|<<-?|<>|>>|>\||&>>?|<&|>&|<|>)[ \t]*/.exec(rest);
    const operator = /^(?:\|\||&&|\|&|;;|[|;&\n])/.exec(rest);
    if (blank !== null) this.#skip(blank[0].length);
    else if (redirect !== null) this.#redirect(redirect[0].length, redirect[2] ?? "");
    else if (operator !== null) {
      this.#skip(operator[0].length);
      this.#commands.push(newCommand(/^\|&?$/.test(operator[0])));
    } else if (rest.startsWith("(")) this.#group();
    else if (rest.startsWith(")")) {
      this.#say("a `)` without its `(`");
      this.#skip(1);
    } else this.#command.words.push(this.#word());
  }

  #redirect(length: number, sign: string): void {
    this.#skip(length);
    if (sign.startsWith("<<")) this.#say("a text within the line (`<<`)");
    if (/^(?:[12]|-)(?=[\s;|&)]|$)/.test(this.#line.slice(this.#at)) && /&$/.test(sign)) {
      this.#skip(1);
      return;
    }
    const word = this.#word();
    if (sign.includes("<") && sign !== "<>") this.#command.readsFrom.push(word);
    else this.#command.writesTo.push(word);
  }

  /** A group of commands, or the parameters of a function that is declared. */
  #group(): void {
    if (this.#command.words.length > 0) this.#say("a function that is declared");
    this.#inner.push(this.#within("(", ")"));
  }

  #word(): ShellWord {
    let text = "";
    let isExpanded = false;
    while (this.#at < this.#line.length) {
      const char = this.#line.charAt(this.#at);
      if (/[\s;|&<>()]/.test(char)) break;
      if (char === "\\") {
        text += this.#line.charAt(this.#at + 1);
        this.#skip(2);
      } else if (char === "'") {
        const end = this.#line.indexOf("'", this.#at + 1);
        if (end < 0) this.#say("a quote without its end");
        text += this.#line.slice(this.#at + 1, end < 0 ? undefined : end);
        this.#at = end < 0 ? this.#line.length : end + 1;
      } else if (char === '"') {
        const quoted = this.#doubleQuoted();
        text += quoted.text;
        isExpanded ||= quoted.isExpanded;
      } else if (char === "$" || char === "`") {
        isExpanded = true;
        text += this.#expansion();
      } else {
        if (/[*?[{~]/.test(char) && !(char === "~" && text !== "")) isExpanded = true;
        text += char;
        this.#skip(1);
      }
    }
    return { text, isExpanded };
  }

  #doubleQuoted(): ShellWord {
    let text = "";
    let isExpanded = false;
    this.#skip(1);
    while (this.#at < this.#line.length) {
      const char = this.#line.charAt(this.#at);
      if (char === '"') {
        this.#skip(1);
        return { text, isExpanded };
      }
      if (char === "\\") {
        text += this.#line.charAt(this.#at + 1);
        this.#skip(2);
      } else if (char === "$" || char === "`") {
        isExpanded = true;
        text += this.#expansion();
      } else {
        text += char;
        this.#skip(1);
      }
    }
    this.#say("a quote without its end");
    return { text, isExpanded };
  }

  /** `$name`, `${name}`, `$( )` and backticks; returns how it is written. */
  #expansion(): string {
    const from = this.#at;
    if (this.#line.startsWith("$(", from)) {
      this.#skip(1);
      this.#inner.push(this.#within("(", ")"));
    } else if (this.#line.startsWith("`", from)) {
      const end = this.#line.indexOf("`", from + 1);
      if (end < 0) this.#say("a backtick without its end");
      this.#inner.push(this.#line.slice(from + 1, end < 0 ? undefined : end));
      this.#at = end < 0 ? this.#line.length : end + 1;
    } else {
      const name = /^\$(?:\{[^}]*\}|\w+|[?!#@*$-]|['"])?/.exec(this.#line.slice(from));
      if (/^\$['"]/.test(name?.[0] ?? "")) this.#say("a quote with escapes (`$'`)");
      this.#skip(Math.max(1, name?.[0].length ?? 1));
    }
    return this.#line.slice(from, this.#at);
  }

  /** The text between two brackets; quotes in it hide brackets. */
  #within(open: string, close: string): string {
    const from = this.#at + 1;
    let depth = 0;
    let quote = "";
    for (; this.#at < this.#line.length; this.#skip(1)) {
      const char = this.#line.charAt(this.#at);
      if (quote !== "") {
        if (char === quote) quote = "";
      } else if (char === "\\") this.#skip(1);
      else if (char === "'" || char === '"') quote = char;
      else if (char === open) depth += 1;
      else if (char === close) {
        depth -= 1;
        if (depth > 0) continue;
        const inner = this.#line.slice(from, this.#at);
        this.#skip(1);
        return inner;
      }
    }
    this.#say(`a \`${open}\` without its \`${close}\``);
    return this.#line.slice(from);
  }

  #skip(length: number): void {
    this.#at += length;
  }

  #say(what: string): void {
    this.#unclear ??= what;
  }
}

function newCommand(isPiped: boolean): CommandDraft {
  return { words: [], writesTo: [], readsFrom: [], isPiped };
}
