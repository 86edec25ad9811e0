/**
 * Exports the container of modules that JupyterLab loads first. JupyterLab gives it the libraries that it shares, and
 * asks it for `./extension`, the list of plugins.
 */
(() => {
  const base = new URL(".", document.currentScript.src);
  let shared = {};
  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB.madrigal = {
    init(scope) {
      shared = scope;
    },
    async get() {
      const { createPlugins } = await import(new URL("plugins.js", base).href);
      const plugins = await createPlugins(load);
      return () => ({ __esModule: true, default: plugins });
    },
  };

  /** A library of JupyterLab's own: it is there once, in the version that it was built with. */
  async function load(name) {
    const [version] = Object.values(shared[name] ?? {});
    if (version === undefined) throw new Error(`madrigal: this JupyterLab shares no ${name}`);
    return (await version.get())();
  }
})();
