import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Answer, difference, isSame, ourAnswer } from './answer';
import { Kustomize } from './oracle';
import { Scenario, Scenarios } from './scenario';
import type { PartSummary, RunOptions } from '../options';

const SCENARIOS = 300;

/** Builds generated kustomizations with kustomize and with our reader, and compares objects and refusals. */
export async function compareKustomize(
  { seed, from, count = SCENARIOS, keep }: RunOptions,
  print: (line: string) => void,
): Promise<PartSummary> {
  const kustomize = new Kustomize();
  print(await kustomize.version());
  let [agree, different, refused, notFollowed] = [0, 0, 0, 0];
  for (let index = from; index < from + count; index++) {
    const scenario = Scenarios.at(seed, index);
    const theirs = await kustomize.build(scenario);
    const ours = ourAnswer(new Map(Object.entries(scenario.files)), scenario.folder);
    if (theirs.refused !== undefined) refused++;
    if (ours.notFollowed !== undefined) notFollowed++;
    if (isSame(ours, theirs)) {
      agree++;
      continue;
    }
    different++;
    print(`scenario ${index} differs: ${difference(ours, theirs)}`);
    if (keep !== undefined) save(join(keep, `kustomize-${seed}-${index}`), scenario, ours, theirs);
  }
  kustomize.stop();
  print(`${count} scenarios: ${refused} refused by kustomize, ${notFollowed} not followed by us, ${different} differ`);
  return { agree, different, tooFewEvaluated: notFollowed * 20 > count };
}

function save(folder: string, { files, folder: built }: Scenario, ours: Answer, theirs: Answer): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, 'answers.json'), `${JSON.stringify({ built, ours, theirs }, null, 1)}\n`);
}
