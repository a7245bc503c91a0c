/**
 * Builds all kustomizations in folders, such as clones of repositories, with kustomize and with our reader:
 *
 *     npx tsx conformance/kustomize/compare-folders.ts FOLDER…
 *
 * Kustomizations with parts that are not followed are counted, and kustomize is not asked, because it would use the
 * network. The exit code is 1 if anything differs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { difference, isSame, ourAnswer } from './answer';
import { Kustomize } from './oracle';
import { KUSTOMIZATION_NAMES } from '../../src/validation/manifest/source/roots/kustomize/kustomization-file';

const LARGEST_FILE = 16_000_000;

function textsIn(folder: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /(^|\/)(\.git|node_modules)\//.test(path)) continue;
    const bytes = readFileSync(path);
    if (bytes.length <= LARGEST_FILE && !bytes.includes(0)) texts.set(relative(folder, path), bytes.toString('utf8'));
  }
  return texts;
}

async function compare(folders: readonly string[]): Promise<number> {
  const kustomize = new Kustomize();
  console.log(await kustomize.version());
  let different = 0;
  for (const folder of folders) {
    const texts = textsIn(folder);
    const built = [...texts.keys()].filter((path) => KUSTOMIZATION_NAMES.includes(basename(path))).map(dirname);
    const counts = { same: 0, refused: 0, notFollowed: 0, different: 0 };
    for (const path of [...new Set(built)].sort()) {
      const ours = ourAnswer(texts, path);
      if (ours.notFollowed !== undefined) {
        counts.notFollowed++;
        continue;
      }
      const theirs = await kustomize.build({ disk: resolve(folder), folder: path });
      if (theirs.refused !== undefined) counts.refused++;
      if (isSame(ours, theirs)) {
        counts.same++;
        continue;
      }
      counts.different++;
      console.log(`${join(folder, path)}: ${difference(ours, theirs)}`);
    }
    different += counts.different;
    console.log(`${folder}: ${JSON.stringify(counts)}`);
  }
  kustomize.stop();
  return different;
}

compare(process.argv.slice(2))
  .then((different) => {
    if (different > 0) process.exitCode = 1;
  })
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
