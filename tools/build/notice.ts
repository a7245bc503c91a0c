/**
 * Writes NOTICE: the licences of the data and of all packages with code in lib/. `bundle-lib.ts` runs it, because
 * esbuild knows which packages these are.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const HEAD = 'karpenter-constructs\nCopyright The karpenter-constructs authors\n';
const INTRODUCTION = 'lib/ contains code of the packages below, each under its own licence.';
/** Packages whose code esbuild does not see: the compiler of the WebAssembly kernel adds its runtime. */
const IN_KERNEL = ['assemblyscript'];
const LICENCE_FILE = /^(licen[cs]e|notice|copyright)/i;
const IN_PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** A package with code in lib/. */
export interface BundledPackage {
  readonly name: string;
  /** Paths of the bundled files, from the root of the repository. */
  readonly files: readonly string[];
}

/** The packages that the files of a bundle are from. */
export function packagesOf(files: readonly string[]): BundledPackage[] {
  const packages = new Map<string, string[]>(IN_KERNEL.map((name) => [name, []]));
  for (const file of files) {
    const [, name] = IN_PACKAGE.exec(file) ?? [];
    if (name !== undefined) packages.set(name, [...(packages.get(name) ?? []), file]);
  }
  return [...packages].map(([name, paths]) => ({ name, files: paths })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function writeNotice(file: string, packages: readonly BundledPackage[]): void {
  const data = readFileSync(join(ROOT, 'data', 'LICENCES.txt'), 'utf8');
  writeFileSync(file, [HEAD, data, `${INTRODUCTION}\n`, licencesOf(packages)].join('\n'));
}

/** The licences of packages, a section each. The Apache License 2.0 is not repeated: it is in LICENSE. */
export function licencesOf(packages: readonly BundledPackage[]): string {
  return packages.map(sectionOf).join('\n');
}

/** @throws Error if the package has no licence text and is not under the licence of this project */
function sectionOf({ name, files }: BundledPackage): string {
  const folder = join(ROOT, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    license: string;
  };
  const texts = [...licenceFiles(folder), ...licencesInCode(files)];
  if (/\bApache-2\.0\b/.test(license)) texts.unshift('The Apache License 2.0 is in the file LICENSE.');
  if (texts.length === 0)
    throw new Error(`${name} ${version} has no licence file; NOTICE cannot quote its licence, got ${license}`);
  return [`${'-'.repeat(80)}\n${name} ${version} (${license})`, ...texts].join('\n\n') + '\n';
}

/** Licence texts of a package, except the Apache License 2.0, which is in LICENSE already. */
function licenceFiles(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => LICENCE_FILE.test(entry.name))
    .map(({ name }) => name)
    .sort();
  const paths = names.flatMap((name) =>
    name === 'licenses'
      ? readdirSync(join(folder, name))
          .sort()
          .map((inner) => join(name, inner))
      : [name],
  );
  return paths
    .map((path) =>
      readFileSync(join(folder, path), 'utf8')
        .replace(/\s+$/gm, (space) => '\n'.repeat(space.split('\n').length - 1))
        .trim(),
    )
    .filter((text) => !/^Apache License\s+Version 2\.0/.test(text));
}

/** Licences that only the head of a file contains. */
function licencesInCode(files: readonly string[]): string[] {
  const heads = files.map((file) => /^(?:\/\/.*\n)+/m.exec(readFileSync(join(ROOT, file), 'utf8'))?.[0] ?? '');
  return [
    ...new Set(
      heads
        .filter((head) => head.includes('Redistribution and use'))
        .map((head) => head.replace(/^\/\/ ?/gm, '').trim()),
    ),
  ];
}
