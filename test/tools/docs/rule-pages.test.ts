/** The pages of the rules, and the edits of the findings in their bad examples. The good ones: good-examples.test.ts */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { findingLines } from '../../../src/plugins/synth-report';
import { check, Finding, Fix, renderHtml, renderMarkdown, renderSarif, renderText } from '../../../src/validation';
import { acknowledgeFindings } from '../../../src/validation/acknowledge';
import { withFixes } from '../../../src/validation/fixes/apply-fixes';
import { renderCodeQuality } from '../../../src/validation/report/code-quality';
import { patchOf } from '../../../src/validation/report/patch';
import { renderUnix } from '../../../src/validation/report/unix';
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

/** Rules of all chapters whose finding has an edit: to try all of them would take too long. */
const EDITED: readonly string[] = [
  ...['KARP-100', 'KARP-103', 'KARP-105', 'KARP-115', 'KARP-117', 'KARP-123', 'KARP-156', 'KARP-159', 'KARP-204'],
  ...['KARP-211', 'KARP-213', 'KARP-214', 'KARP-251', 'KARP-263', 'KARP-301', 'KARP-310', 'KARP-322', 'KARP-329'],
  ...[
    'KARP-330',
    'KARP-403',
    'KARP-407',
    'KARP-417',
    'KARP-421',
    'KARP-427',
    'KARP-428',
    'KARP-434',
    'KARP-502',
    'KARP-503',
  ],
  ...['KARP-516', 'KARP-802', 'KARP-808', 'KARP-820', 'KARP-604', 'KARP-902', 'KARP-904', 'KARP-918', 'KARP-919'],
];

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

/** The findings of the bad examples with their edits. */
async function editedFindings(): Promise<Finding[]> {
  const found = await Promise.all(EDITED.map((id) => findingsOf(readRuleExample(id), 'bad')));
  return EDITED.flatMap((id, index) => found[index].find(({ rule, fix }) => rule === id && fix !== undefined) ?? []);
}

describe('the edit of a bad example', () => {
  test('is a patch, and its remedy is the same in every report', async () => {
    const findings = await editedFindings();
    expect(findings.map(({ rule }) => rule)).toEqual(EDITED);
    expect(findings.filter((finding) => patchOf(finding) === undefined).map(({ rule }) => rule)).toEqual([]);
    const empty = check([], { mayBeEmpty: true });
    const missing = findings.flatMap((finding) => {
      const verdict = { ...empty, findings: [finding] };
      const reports = {
        text: renderText(verdict, { verbose: true }),
        html: renderHtml(verdict),
        sarif: renderSarif(verdict, { version: '1', root: '/', rules: [] }),
        unix: renderUnix(verdict),
        codeQuality: renderCodeQuality(verdict, '/'),
        synth: findingLines([finding]).join('\n'),
        // Markdown lists notes without their remedies.
        ...(finding.severity === 'info' ? {} : { markdown: renderMarkdown(verdict) }),
      };
      return Object.entries(reports).flatMap(([name, text]) =>
        plain(text).includes(plain(remedyIn(name, finding))) ? [] : [`${finding.rule} in ${name}`],
      );
    });
    expect(missing).toEqual([]);
  });
});

/** The text shows an error's safe fix in the words of the edit, except if the remedy has both values. */
function remedyIn(report: string, { severity, remedy, fix }: Finding): string {
  return report === 'text' && severity === 'error' && fix!.safe && !remedy.includes(' instead of ')
    ? fix!.title
    : remedy;
}

/** Words and numbers of a text, without line breaks, markup and escapes. */
function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/&(quot|amp|lt|gt|#39|#x27|#96);|\\(?=["\\])/g, '')
    .replace(/[^A-Za-z0-9$%:/.]+/g, '');
}

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
