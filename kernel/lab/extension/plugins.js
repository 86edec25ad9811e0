/** The plugins: one, which colours cells by what they are. */
import { cellSupport } from "./cell-language.js";

/** What the kernel calls its language in `kernel_info`. */
const NAME = "madrigal-cell";

export async function createPlugins(load) {
  const [{ IEditorLanguageRegistry }, language, common] = await Promise.all([
    load("@jupyterlab/codemirror"),
    load("@codemirror/language"),
    load("@lezer/common"),
  ]);
  const cells = {
    id: "madrigal:cells",
    description: "Highlights graphs and SQL in cells of TypeScript.",
    autoStart: true,
    requires: [IEditorLanguageRegistry],
    activate(_app, languages) {
      languages.addLanguage({
        name: NAME,
        displayName: "Madrigal",
        mime: "text/x-madrigal-cell",
        extensions: [],
        async load() {
          const typescript = await languages.getLanguage("typescript");
          return cellSupport(typescript.support, { language, common });
        },
      });
    },
  };
  return [cells];
}
