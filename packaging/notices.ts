/** Lists what the package depends on: a bill of materials for programs, and notices of licences for people. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly name?: string;
}

/** Returns the bill of materials in the format of CycloneDX, as JSON. */
export function billOfMaterials(root: string): string {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm sbom ended with ${status}: ${stderr}`);
  const bill: Bill = JSON.parse(stdout);
  // `npm sbom --omit dev` also leaves out what tests and the package both need.
  const shipped = new Set(dependenciesOf(root).map(({ alias, version }) => `${alias}@${version}`));
  const components = bill.components.filter(({ name, version }) =>
    shipped.has(`${name}@${version}`),
  );
  const kept = new Set([
    bill.metadata.component["bom-ref"],
    ...components.map((one) => one["bom-ref"]),
  ]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  return `${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`;
}

interface Bill {
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly "bom-ref": string;
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Returns a page with the licence of each package that comes with ours, and the whole text for those whose code is in our files. */
export function noticesPage(root: string, bundled: readonly string[]): string {
  const all = dependenciesOf(root);
  const rows = all.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  const texts = all
    .filter(({ name }) => bundled.some((one) => name.startsWith(one)))
    .map(({ name, version, alias }) => `## ${name} ${version}\n\n${licenceText(root, alias)}`);
  return `# Third-party packages

npm installs these packages beside Madrigal. The text of each licence is in the package's folder below \`node_modules\`; of those whose
code is also in Madrigal's own files it follows here.

| package | version | licence |
|---|---|---|
${[...new Set(rows)].sort().join("\n")}

${texts.join("\n")}`;
}

function licenceText(root: string, alias: string): string {
  const folder = join(root, "node_modules", alias);
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${alias} is bundled and has no file with its licence`);
  return readFileSync(join(folder, file), "utf8");
}

interface Dependency {
  readonly name: string;
  /** The name of its folder, which may be another one. */
  readonly alias: string;
  readonly version: string;
  readonly license: string;
}

/** Returns the packages of the lockfile that an installation of Madrigal brings, on any machine. */
function dependenciesOf(root: string): readonly Dependency[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.entries<LockedPackage>(packages)
    .filter(([path, { dev, devOptional, link }]) => path !== "" && !dev && !devOptional && !link)
    .map(([path, { name, version = "", license = "see its files" }]) => {
      const alias = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return { name: name ?? alias, alias, version, license };
    });
}
