import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readWithEvents } from '../../src/validation/manifest/yaml/event-documents';
import { Dice } from '../../test/support/schedule-scenario/dice';
import { mutant } from '../../test/validation/manifest/yaml/mutant';
import { TEXTS } from '../../test/validation/manifest/yaml/texts';
import { build } from '../go';
import type { PartSummary, RunOptions } from '../options';

const TEXTS_AT_ONCE = 20_000;
/** kubectl splits a file at these lines before parsing. */
const SEVERAL_DOCUMENTS = /(?:^|\n)---/;
/** In brackets, kubectl's library reads `?a` as `? a`, and `a:]` as a string, contrary to YAML 1.1 and 1.2. */
const READ_WRONGLY = /\?\S|:[\]},]/;
const MOST_SHOWN = 10;

interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

/**
 * Compares the values that our fast reader finds in manifests with those of kubectl's YAML library. Texts that our fast
 * reader leaves to the tree reader, and texts that kubectl rejects, are only counted.
 */
export async function compareYaml(
  { seed, count = TEXTS_AT_ONCE, keep }: RunOptions,
  print: (line: string) => void,
): Promise<PartSummary> {
  const program = build({ command: 'yaml', program: 'yaml' });
  const dice = new Dice(seed);
  const texts = [...TEXTS, ...Array.from({ length: count }, () => `${mutant(dice)}\n`)].filter(
    (text) => !SEVERAL_DOCUMENTS.test(text) && !READ_WRONGLY.test(text),
  );
  const read = texts.flatMap((text) => {
    const [document] = readWithEvents({ text, start: 0 })?.documents ?? [];
    return document ? [{ text, value: document.value }] : [];
  });
  const input = read.map(({ text }) => `${JSON.stringify(text)}\n`).join('');
  const [version, ...answers] = execFileSync(program, { input, encoding: 'utf8', maxBuffer: 2 ** 30 })
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
  print(JSON.stringify(version));
  const both = read
    .map((ours, at) => ({ ...ours, answer: answers[at] }))
    .filter(({ answer }) => answer.error === undefined);
  const different = both.filter(({ value, answer }) => !isDeepStrictEqual(comparable(value), comparable(answer.value)));
  print(
    `${texts.length} texts: we read ${read.length}, kubectl reads ${both.length} of these; ${different.length} differ`,
  );
  different.slice(0, MOST_SHOWN).forEach((each) => print(JSON.stringify(each)));
  if (keep !== undefined && different.length > 0) {
    mkdirSync(keep, { recursive: true });
    writeFileSync(join(keep, `yaml-${seed}.json`), `${JSON.stringify(different, null, 1)}\n`);
  }
  return { agree: both.length - different.length, different: different.length };
}

const NUMBER = /^[-+]?[\d.]+(?:[eE][-+]?\d+)?$/;

/** The value as plain JSON objects, without keys with null, which the API server treats as absent. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (_, part: unknown) => {
    // We keep the text of numbers that JavaScript would round.
    if (
      typeof part === 'string' &&
      NUMBER.test(part) &&
      Math.abs(Number(part)) > Number.MAX_SAFE_INTEGER &&
      Number.isFinite(Number(part))
    )
      return Number(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).filter(([, each]) => each !== null));
  });
}
