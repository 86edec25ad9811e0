/** Keeps a warning of Node from whoever runs us. It is plain JavaScript as keep-compiled.js is. */

/** Node 22 warns in each thread that its module `node:sqlite` may change. */
export function hideSqliteWarning() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...more) => {
    if (!String(warning).startsWith("SQLite is an experimental feature"))
      emitWarning.call(process, warning, ...more);
  };
}
