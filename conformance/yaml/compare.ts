import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readByEvents } from '../../src/validation/manifest/event-documents';
import { mutant } from '../../test/validation/manifest/yaml/mutant';
import { TEXTS } from '../../test/validation/manifest/yaml/texts';
import { build } from '../go';
import type { PartSummary, RunOptions } from '../options';
import { Dice } from '../schedule/scenario/dice';

const TEXTS_AT_ONCE = 20_000;
/** kubectl takes a file apart at these lines before it reads any of it. */
const SEVERAL_DOCUMENTS = /(?:^|\n)---/;
/** In brackets, kubectl's library takes `?a` for `? a`, and `a:]` for a text, which by YAML 1.1 and 1.2 they are not. */
const READ_WRONGLY = /\?\S|:[\]},]/;
const MOST_SHOWN = 10;

interface Answer { readonly value?: unknown; readonly error?: string }

/**
 * Holds the values that we read in manifests against those that kubectl reads, by the library that it has for that. Texts that either of them
 * leaves, ours to the reader of trees and kubectl's with an error, are only counted.
 */
export async function compareYaml({ seed, count = TEXTS_AT_ONCE, keep }: RunOptions, print: (line: string) => void): Promise<PartSummary> {
  const program = build({ command: 'yaml', program: 'yaml' });
  const dice = new Dice(seed);
  const texts = [...TEXTS, ...Array.from({ length: count }, () => `${mutant(dice)}\n`)]
    .filter((text) => !SEVERAL_DOCUMENTS.test(text) && !READ_WRONGLY.test(text));
  const read = texts.flatMap((text) => {
    const [document] = readByEvents({ text, start: 0 })?.documents ?? [];
    return document ? [{ text, value: document.value }] : [];
  });
  const input = read.map(({ text }) => `${JSON.stringify(text)}\n`).join('');
  const [version, ...answers] = execFileSync(program, { input, encoding: 'utf8', maxBuffer: 2 ** 30 }).trimEnd().split('\n').map((line) => JSON.parse(line) as Answer);
  print(JSON.stringify(version));
  const both = read.map((ours, at) => ({ ...ours, answer: answers[at] })).filter(({ answer }) => answer.error === undefined);
  const different = both.filter(({ value, answer }) => !isDeepStrictEqual(comparable(value), comparable(answer.value)));
  print(`${texts.length} texts, ${read.length} of them read by us, ${both.length} of these by kubectl; ${different.length} differ`);
  different.slice(0, MOST_SHOWN).forEach((each) => print(JSON.stringify(each)));
  if (keep !== undefined && different.length > 0) {
    mkdirSync(keep, { recursive: true });
    writeFileSync(join(keep, `yaml-${seed}.json`), `${JSON.stringify(different, null, 1)}\n`);
  }
  return { agree: both.length - different.length, different: different.length };
}

const NUMBER = /^[-+]?[\d.]+(?:[eE][-+]?\d+)?$/;

/** As JSON, with objects of one prototype; without the keys of nulls, which the API server takes for keys that are not there. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (_, part: unknown) => {
    // Of what JavaScript would round we keep the text.
    if (typeof part === 'string' && NUMBER.test(part) && Math.abs(Number(part)) > Number.MAX_SAFE_INTEGER && Number.isFinite(Number(part))) return Number(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).filter(([, each]) => each !== null));
  });
}
