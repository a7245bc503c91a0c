/**
 * Writes <release>.mod and <release>.sum of the releases before the newest: `npx tsx conformance/versions/write.ts
 * [release…]`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEWEST, Release, RELEASES } from './releases';

const CORE = 'sigs.k8s.io/karpenter';
const PROVIDER = 'github.com/aws/karpenter-provider-aws';
const MODULE = readFileSync(join(__dirname, '../go.mod'), 'utf8');

/** Writes the files in a temporary module, because the other commands are built with the newest release only. */
function writeRelease(release: Release): void {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-release-'));
  // The checksum database has no entry for some releases of the provider that the module proxy serves.
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'auto', GONOSUMDB: PROVIDER };
  const go = (...args: string[]) => execFileSync('go', args, { cwd: folder, env, stdio: 'inherit' });
  try {
    const head = /^module .*\n\ngo .*$/m.exec(MODULE)![0];
    const replaced =
      release.core === undefined ? '' : `\nreplace ${CORE} v${release.asksFor} => ${CORE} v${release.core}\n`;
    writeFileSync(
      join(folder, 'go.mod'),
      `${head}\n\nrequire (\n\t${PROVIDER} v${release.provider}\n\t${CORE} v${release.asksFor}\n)\n${replaced}`,
    );
    copyRuntime(release, folder);
    go('get', `-tags=${release.tags.join(',')}`, './runtime');
    go('build', `-tags=${release.tags.join(',')}`, '-o', 'program', './runtime');
    for (const extension of ['mod', 'sum'])
      copyFileSync(join(folder, `go.${extension}`), join(__dirname, `${release.provider}.${extension}`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Copies only matching files: `go get` reads the imports of every file, regardless of build tags. */
function copyRuntime(release: Release, folder: string): void {
  mkdirSync(join(folder, 'runtime'));
  const source = join(__dirname, '../runtime');
  for (const file of readdirSync(source)) {
    const [, not, tag] = /^\/\/go:build (!?)(\w+)$/m.exec(readFileSync(join(source, file), 'utf8')) ?? [];
    if (tag === undefined || release.tags.includes(tag) === (not === ''))
      copyFileSync(join(source, file), join(folder, 'runtime', file));
  }
}

const wanted = process.argv.slice(2);
for (const release of RELEASES) {
  if (release !== NEWEST && (wanted.length === 0 || wanted.includes(release.provider))) writeRelease(release);
}
