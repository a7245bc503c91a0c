import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { acknowledgeFindings } from '../../../src/validation/acknowledge';
import { RULES } from '../../../src/validation/rules';
import { packRulePages } from '../../../tools/build/pack-rule-pages';
import { filesOfExample, findingsOf, readRuleExample } from '../../../tools/docs/rule-example';
import { rulePage, subjectOf } from '../../../tools/docs/rule-page';
import { folderOf } from '../../cli/run';

const FOLDER = folderOf({});
const PAGES = join(__dirname, '../../../docs/rules');
/** The package contains the pages in one compressed file. */
const MAX_PACKED_BYTES = 100_000;
const MAX_CHANGED_LINES = 20;

describe.each(RULES.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  test('is found in its bad example', async () => {
    const findings = await findingsOf(readRuleExample(id), 'bad');
    expect(findings.map((finding) => finding.rule)).toContain(id);
  });

  test('is not found in its good example, which has no error of another rule', async () => {
    const findings = await findingsOf(readRuleExample(id), 'good');
    expect(
      findings
        .filter((finding) => finding.rule === id || finding.severity === 'error')
        .map((finding) => `${finding.rule}: ${finding.message}`),
    ).toEqual([]);
  });

  test('has a good example that is a small edit of the bad one', () => {
    const [bad, good] = (['bad', 'good'] as const).map((name) =>
      filesOfExample(readRuleExample(id), name)
        .map(({ text }) => text)
        .join('\n')
        .split('\n'),
    );
    const changed = [...linesMissingIn(good, bad), ...linesMissingIn(bad, good)];
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThanOrEqual(MAX_CHANGED_LINES);
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
});

test('docs/rules has pages of existing rules only', () => {
  expect(readdirSync(PAGES).filter((file) => !RULES.some(({ id }) => file === `${id}.md`))).toEqual([]);
});

test('the pages are packed into one small file, the same bytes each time', () => {
  const files = ['first', 'second'].map((name) => join(FOLDER, `${name}.json.gz`));
  files.forEach(packRulePages);
  const [first, second] = files.map((file) => readFileSync(file));
  expect(first.equals(second)).toBe(true);
  expect(first.length).toBeLessThan(MAX_PACKED_BYTES);
  const pages = JSON.parse(gunzipSync(first).toString());
  expect(Object.keys(pages)).toHaveLength(RULES.length);
  expect(pages['KARP-402']).toBe(readFileSync(join(PAGES, 'KARP-402.md'), 'utf8'));
});

function linesMissingIn(lines: readonly string[], from: readonly string[]): string[] {
  const left = [...lines];
  return from.filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
