import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { findingLines } from '../../../src/plugins/synth-report';
import { check, Finding, renderHtml, renderMarkdown, renderSarif, renderText } from '../../../src/validation';
import { withFixes } from '../../../src/validation/fixes/apply-fixes';
import { renderCodeQuality } from '../../../src/validation/report/code-quality';
import { patchOf } from '../../../src/validation/report/patch';
import { renderUnix } from '../../../src/validation/report/unix';
import { RULES } from '../../../src/validation/rules';
import { checkExample, EXAMPLES, filesOfExample, findingsOf, readRuleExample } from '../../../tools/docs/rule-example';

const MAX_CHANGED_LINES = 20;
/** Rules whose pods have a node only with the remedy: what else is wrong with them is found then. */
const SHOWS_MORE: readonly string[] = ['KARP-106', 'KARP-211', 'KARP-213', 'KARP-434'];
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

describe.each(RULES.map(({ id }) => id))('%s', (id) => {
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

  test('removes the finding, and leads to no new error or warning', async () => {
    const problems: string[] = [];
    for (const finding of await editedFindings()) {
      const before = countsOf(await findingsOf(readRuleExample(finding.rule), 'bad'));
      const after = countsOf(await findingsWithEdit(finding));
      const worse = [...after].filter(([key, count]) => !key.endsWith('info') && count > (before.get(key) ?? 0));
      if ((after.get(keyOf(finding)) ?? 0) >= before.get(keyOf(finding))!)
        problems.push(`${finding.rule} is still there`);
      if (!SHOWS_MORE.includes(finding.rule)) problems.push(...worse.map(([key]) => `${finding.rule} leads to ${key}`));
    }
    expect(problems).toEqual([]);
  });
});

/** The text shows an error's safe fix in the words of the edit. */
function remedyIn(report: string, { severity, remedy, fix }: Finding): string {
  return report === 'text' && severity === 'error' && fix!.safe ? fix!.title : remedy;
}

/** Words and numbers of a text, without line breaks, markup and escapes. */
function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/&(quot|amp|lt|gt|#39|#x27|#96);|\\(?=["\\])/g, '')
    .replace(/[^A-Za-z0-9$%:/.]+/g, '');
}

/** What `check` finds after the edit, in a copy of the example. */
async function findingsWithEdit({ rule, fix }: Finding): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'edit-'));
  try {
    cpSync(join(EXAMPLES, rule), join(folder, EXAMPLES, rule), { recursive: true });
    for (const shared of readdirSync(EXAMPLES).filter((name) => name.endsWith('.yaml')))
      copyFileSync(join(EXAMPLES, shared), join(folder, EXAMPLES, shared));
    const path = join(folder, fix!.file);
    const { file } = withFixes({ path, text: readFileSync(path, 'utf8') }, [fix!]);
    writeFileSync(path, file.text);
    return await checkExample(readRuleExample(rule), 'bad', folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function keyOf({ rule, severity, subject: { kind, namespace, name } }: Finding): string {
  return `${rule} of ${kind} ${namespace}/${name}: ${severity}`;
}

function countsOf(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  return counts;
}

function linesMissingIn(lines: readonly string[], from: readonly string[]): string[] {
  const left = [...lines];
  return from.filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
