/** The setting under which a file keeps its modes: `config { modes: { fast: { width: 2, smart: "rules" } } }`. */
export const MODES = "modes";
