import { join } from 'node:path';
import { BUILD, ROOT, run } from './run';

const OURS = 'karpenter-constructs';
/**
 * Packages that are made here in addition to ours, because a registry of the language may lack the version that is
 * installed. All others come from the registry.
 */
const OTHERS: Readonly<Record<string, readonly string[]>> = { cdk8s: ['go'], 'cdk8s-plus-28': ['go', 'java'] };

/** The folders with the code of the packages that are made here: of Go `go`, of Java `java`. Ours is the last one. */
export function bindings(language: string): string[] {
  return [...Object.keys(OTHERS).filter((name) => OTHERS[name].includes(language)), OURS].map((name) =>
    folderOf(name, language),
  );
}

/** The folder with the code of our own package. */
export function ownBindings(language: string): string {
  return folderOf(OURS, language);
}

/** Writes the code of all packages. */
export async function writeBindings(): Promise<void> {
  await write(OURS, ROOT, ['go', 'java', 'python']);
  for (const [name, languages] of Object.entries(OTHERS))
    await write(name, join(ROOT, 'node_modules', name), languages);
}

async function write(name: string, source: string, languages: readonly string[]): Promise<void> {
  const args = ['--code-only', '--npmignore=false', '--outdir', folderOf(name), '--target', ...languages];
  await run(join(ROOT, 'node_modules/.bin/jsii-pacmak'), args, source);
}

function folderOf(name: string, ...language: string[]): string {
  return join(BUILD, name.replaceAll(/\W+/g, '-'), ...language);
}
