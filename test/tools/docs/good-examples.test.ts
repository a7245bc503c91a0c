import { findingLines } from '../../../src/plugins/synth-report';
import { check, Finding, renderHtml, renderMarkdown, renderSarif, renderText } from '../../../src/validation';
import { renderCodeQuality } from '../../../src/validation/report/code-quality';
import { patchOf } from '../../../src/validation/report/patch';
import { renderUnix } from '../../../src/validation/report/unix';
import { RULES } from '../../../src/validation/rules';
import { filesOfExample, findingsOf, readRuleExample } from '../../../tools/docs/rule-example';

const MAX_CHANGED_LINES = 20;
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

function linesMissingIn(lines: readonly string[], from: readonly string[]): string[] {
  const left = [...lines];
  return from.filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
