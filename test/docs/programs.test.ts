/**
 * Runs programs that write to the console.
 *
 * @jest-environment node
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf, PAGES, read } from './pages';
import { matchesOutput } from '../../tools/docs/shown-output';
import { printedBy } from '../examples/run-as-user';

/** The TypeScript of the pages that makes a verdict of a whole app. `…` stands for what a page leaves out. */
const PROGRAMS = PAGES.flatMap((page) =>
  blocksOf(page, 'ts')
    .filter(
      (block) => block.includes('new plugins.KarpenterVerdict(') && block.includes('.synth()') && !block.includes('…'),
    )
    .map((block) => [page, block] as const),
);

describe('programs of the pages with a verdict', () => {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  beforeAll(() => process.chdir(folder));
  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  test.each(PROGRAMS)('the program of %s has pods', (_page, program) => {
    expect(printedBy(program)).toMatch(/^karpenter verdict: \d+ of [1-9]\d* pods? on /);
  });

  test.each(['docs/setups.md', 'docs/coming-from/terraform-aws-eks.md'])('%s shows what its program prints', (page) => {
    const [, program, shown] = /^```ts\n(.*?)^```$.*?^```text\n(.*?)^```$/ms.exec(
      read(page).slice(read(page).indexOf('```ts')),
    )!;
    const printed = printedBy(program);
    expect([printed, matchesOutput(shown, printed)]).toEqual([printed, true]);
  });
});
