import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageExamples, verdictOf } from '../../../tools/docs/message-example';
import { messagePage } from '../../../tools/docs/message-page';
import { GROUPS, HAND_WRITTEN, troubleshootingIndex } from '../../../tools/docs/troubleshooting-doc';

const PAGES = join(__dirname, '../../../docs/troubleshooting');
const EXAMPLES = messageExamples();

describe.each(EXAMPLES.map((example) => [example.title, example] as const))('%s', (_, example) => {
  test('has a bad example that check reports by the rules of its page', async () => {
    const { findings, notEvaluated } = await verdictOf(example, 'bad');
    if (example.rules.length === 0) return expect(notEvaluated).not.toEqual([]);
    return expect(findings.map(({ rule }) => rule)).toContain(example.rules[0]);
  });

  test('has a good example without errors, pending pods and findings of its rules', async () => {
    const { findings, unschedulable, notEvaluated } = await verdictOf(example, 'good');
    const left = findings.filter(({ rule, severity }) => severity === 'error' || example.rules.includes(rule));
    expect(left.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
    expect([...unschedulable, ...notEvaluated]).toEqual([]);
  });

  test('has the page that tools/docs/troubleshooting-doc.ts writes', async () => {
    expect(readFileSync(join(PAGES, `${example.name}.md`), 'utf8')).toBe(await messagePage(example));
  });
});

test.each(EXAMPLES.filter(({ inVerdict }) => inVerdict).map((example) => [example.title, example] as const))(
  'the verdict has the message "%s"',
  async (_, example) => {
    const { unschedulable } = await verdictOf(example, 'bad');
    const messages = unschedulable.flatMap(({ reasons }) => reasons.map(({ message }) => message)).join('\n');
    const parts = constantParts(example.sections.Message);
    expect(parts).not.toEqual([]);
    expect(parts.filter((part) => !messages.includes(part))).toEqual([]);
  },
);

test('the index lists each message in one of its groups', () => {
  expect(EXAMPLES.filter(({ group }) => !GROUPS.includes(group)).map(({ name }) => name)).toEqual([]);
  expect(readFileSync(join(PAGES, 'index.md'), 'utf8')).toBe(troubleshootingIndex(EXAMPLES));
});

test('docs/troubleshooting has no page without an example', () => {
  const known = ['index.md', ...HAND_WRITTEN, ...EXAMPLES.map(({ name }) => `${name}.md`)];
  expect(readdirSync(PAGES).sort()).toEqual(known.sort());
});

/** The parts of the message between `…`, without what only the event adds. */
function constantParts(section: string): string[] {
  const [, text] = /```text\n(.*?)\n```/s.exec(section)!;
  return text
    .replace(/^Failed to schedule pod, |^ignoring pod, /, '')
    .split('…')
    .map((part) => part.replace(/^[,\s()]+|[,\s()]+$/g, ''))
    .filter((part) => part !== '' && !part.startsWith('incompatible with nodepool'));
}
