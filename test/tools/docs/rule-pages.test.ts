/** The pages of the rules, and the edits of the findings in their bad examples. The good ones: good-examples.test.ts */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Finding, Fix } from '../../../src/validation';
import { acknowledgeFindings } from '../../../src/validation/acknowledge';
import { withFixes } from '../../../src/validation/fixes/apply-fixes';
import { RULES } from '../../../src/validation/rules';
import { packRulePages } from '../../../tools/build/pack-rule-pages';
import { checkExample, EXAMPLES, findingsOf, readRuleExample } from '../../../tools/docs/rule-example';
import { rulePage, subjectOf } from '../../../tools/docs/rule-page';
import { folderOf } from '../../cli/run';

/** With a copy of the examples, in which files are changed and restored. */
const FOLDER = folderOf({});
const PAGES = join(__dirname, '../../../docs/rules');
/** The right name of a target shows what else is wrong with the target. */
const SHOWS_MORE: readonly string[] = ['KARP-434'];
/** The package contains the pages in one compressed file. */
const MAX_PACKED_BYTES = 100_000;

describe.each(RULES.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  test('is found in its bad example', async () => {
    const findings = await findingsOf(readRuleExample(id), 'bad');
    expect(findings.map((finding) => finding.rule)).toContain(id);
  });

  test('has the page that `tsx tools/docs/rules-doc.ts` writes', async () => {
    expect(readFileSync(join(PAGES, `${id}.md`), 'utf8')).toBe(await rulePage(rule));
  });

  test('is acknowledged by the subject on its page', async () => {
    const finding = (await findingsOf(readRuleExample(id), 'bad')).find((candidate) => candidate.rule === id)!;
    const subject = finding.subject.kind === '' ? undefined : subjectOf(finding.subject);
    const entries = [{ rule: id, subject, reason: 'test', location: finding.location }];
    const page = readFileSync(join(PAGES, `${id}.md`), 'utf8');
    if (page.includes('cannot be acknowledged')) return expect(page).not.toContain('\nacknowledge:\n');
    expect(page).toContain(`  - rule: ${id}\n${subject === undefined ? '' : `    subject: ${subject}\n`}    reason: `);
    return expect(acknowledgeFindings([finding], [], { entries }).acknowledged).toHaveLength(1);
  });

  test('has a bad example whose edits each remove their finding, and bring no other', async () => {
    const before = await findingsOf(readRuleExample(id), 'bad');
    for (const finding of before.filter(({ fix }) => fix !== undefined)) {
      const after = await findingsAfter(id, finding.fix!);
      expect(countOf(after, finding)).toBeLessThan(countOf(before, finding));
      const worse = after.filter(
        (found) =>
          found.severity !== 'info' &&
          !SHOWS_MORE.includes(finding.rule) &&
          countOf(after, found) > countOf(before, found),
      );
      expect(
        worse.map(({ rule: other, message }) => `${finding.rule} → ${finding.fix!.title} → ${other}: ${message}`),
      ).toEqual([]);
    }
  });
});

test('docs/rules has pages of existing rules only', () => {
  expect(readdirSync(PAGES).filter((file) => !RULES.some(({ id }) => file === `${id}.md`))).toEqual([]);
});

test('the pages are packed into one small file, the same bytes each time', () => {
  const files = ['first', 'second'].map((name) => join(FOLDER, `${name}.json.br`));
  files.forEach(packRulePages);
  const [first, second] = files.map((file) => readFileSync(file));
  expect(first.equals(second)).toBe(true);
  expect(first.length).toBeLessThan(MAX_PACKED_BYTES);
  const pages = JSON.parse(brotliDecompressSync(first).toString());
  expect(Object.keys(pages)).toHaveLength(RULES.length);
  expect(pages['KARP-402']).toBe(readFileSync(join(PAGES, 'KARP-402.md'), 'utf8'));
});

async function findingsAfter(id: string, fix: Fix): Promise<readonly Finding[]> {
  const path = join(FOLDER, fix.file);
  if (!existsSync(path)) cpSync(join(__dirname, '../../..', EXAMPLES), join(FOLDER, EXAMPLES), { recursive: true });
  const text = readFileSync(path, 'utf8');
  const { file, applied } = withFixes({ path: fix.file, text }, [fix]);
  expect(applied).toHaveLength(1);
  writeFileSync(path, file.text);
  try {
    return await checkExample(readRuleExample(id), 'bad', FOLDER);
  } finally {
    writeFileSync(path, text);
  }
}

// A note about pods without a node becomes a warning when they have one.
function keyOf({ rule, subject: { kind, name } }: Finding): string {
  return `${rule} ${kind} ${name}`;
}

function countOf(findings: readonly Finding[], wanted: Finding): number {
  return findings.filter((finding) => keyOf(finding) === keyOf(wanted)).length;
}
