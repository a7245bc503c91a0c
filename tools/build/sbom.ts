/**
 * Writes dist/sbom.cdx.json: the packages whose code lib/ contains. `npm sbom` knows all packages of the lock file, and
 * NOTICE the bundled ones. Development tools are left out, because their code is not published.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const NAMED = /^-{80}\n(\S+) (\S+) \(/gm;

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly scope?: string;
  readonly properties?: readonly { readonly name: string }[];
}

export interface Sbom {
  readonly metadata: {
    readonly component: { readonly 'bom-ref': string; readonly name: string; readonly purl: string };
  };
  readonly components: readonly Component[];
  readonly dependencies: readonly unknown[];
}

/** @throws Error if the lock file lacks a package that NOTICE names */
export function bundledOnly(sbom: Sbom, notice: string): Sbom {
  const components = [...notice.matchAll(NAMED)].map(([, name, version]) => {
    const component = sbom.components.find(({ purl }) => purl === `pkg:npm/${name.replace('@', '%40')}@${version}`);
    if (component === undefined)
      throw new Error(`NOTICE names ${name} ${version}, which package-lock.json does not contain`);
    const { scope: _, properties: __, ...published } = component;
    return { ...published, scope: 'required' };
  });
  const { component } = sbom.metadata;
  const ref = component['bom-ref'];
  // npm takes the name from the folder.
  const [, name] = /^pkg:npm\/(.+)@/.exec(component.purl) ?? [];
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: { ...component, name } },
    components,
    dependencies: [{ ref, dependsOn: components.map((bundled) => bundled['bom-ref']) }],
  };
}

if (require.main === module) {
  const text = execFileSync(
    'npm',
    ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'library'],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e9 },
  );
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(
    join(ROOT, 'dist', 'sbom.cdx.json'),
    `${JSON.stringify(bundledOnly(JSON.parse(text) as Sbom, readFileSync(join(ROOT, 'NOTICE'), 'utf8')), undefined, 2)}\n`,
  );
}
