import { join } from 'node:path';
import { BUILD, ROOT, run } from './run';

/**
 * What programs in Go and Java need, ours first. Registries of those languages have the others too, though not each
 * version as soon as npm has it: all are made of what is installed here.
 */
const OTHERS = ['cdk8s', 'cdk8s-plus-28', '@aws-cdk/asset-awscli-v1', '@aws-cdk/asset-node-proxy-agent-v6', '@aws-cdk/cloud-assembly-schema'];
const LARGEST = 'aws-cdk-lib';

/** Where the code of each package for a language lies: of Go `go`, of Java `java`, of Python `python`. */
export function bindings(language: string): string[] {
  return ['karpenter-constructs', ...OTHERS, LARGEST].map((name) => folderOf(name, language));
}

/** Where the code of our own package lies. */
export function ownBindings(language: string): string {
  return folderOf('karpenter-constructs', language);
}

/** Writes the code of all packages. The largest takes as long as all others: it has a core of its own. */
export async function writeBindings(): Promise<void> {
  const others = async () => {
    await write('karpenter-constructs', ROOT, ['go', 'java', 'python']);
    for (const name of OTHERS) await writeInstalled(name);
  };
  await Promise.all([writeInstalled(LARGEST), others()]);
}

function writeInstalled(name: string): Promise<void> {
  return write(name, join(ROOT, 'node_modules', name), ['go', 'java']);
}

async function write(name: string, source: string, languages: readonly string[]): Promise<void> {
  const outdir = folderOf(name);
  const args = ['--code-only', '--npmignore=false', '--outdir', outdir, '--target', ...languages];
  await run(join(ROOT, 'node_modules/.bin/jsii-pacmak'), args, source, { NODE_OPTIONS: '--max-old-space-size=6144' });
}

function folderOf(name: string, ...language: string[]): string {
  return join(BUILD, name.replaceAll(/\W+/g, '-'), ...language);
}
