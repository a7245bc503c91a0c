import { RULES } from '../../../src/validation/rules';
import { filesOfExample, findingsOf, readRuleExample } from '../../../tools/docs/rule-example';

const MAX_CHANGED_LINES = 20;

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

function linesMissingIn(lines: readonly string[], from: readonly string[]): string[] {
  const left = [...lines];
  return from.filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
