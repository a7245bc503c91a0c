import { Difference, renderDifferenceMarkdown } from '../../../../src/validation';
import { VERDICT } from '../verdict';

const NONE: Difference = {
  schemaVersion: '1',
  summary: { before: VERDICT.summary, after: VERDICT.summary },
  objects: [],
  nodePools: [],
  unschedulable: [],
  resolved: [],
  drift: [],
  findings: { added: [], removed: [] },
  assumptions: ['the cluster is empty'],
};
const object = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web', change: 'changed', fields: [{ path: 'spec.replicas', before: 1, after: 2 }] } as const;

test('renders one line if nothing changes', () => {
  expect(renderDifferenceMarkdown(NONE)).toBe('## Nothing changes.\n');
});

test('renders the outcome, changes and new findings, and collapses resolved findings', () => {
  expect(renderDifferenceMarkdown({ ...NONE, objects: [object], findings: { added: [VERDICT.findings[0]], removed: [VERDICT.findings[1]] } })).toBe([
    '## Unchanged: 4 of 7 pods on 3 new nodes, \\$0.3000/h.',
    '1 new error (KARP-109); 1 finding resolved.',
    '### Changes\n\n```text\n  Pod shop/web\n    spec.replicas: 1 -> 2\n```',
    '### 1 new error',
    '| Where | Problem | What to write instead |\n| --- | --- | --- |\n'
      + '| `a.yaml:3`<br>KARP-109 duplicate-yaml-key | the key "a" is written twice | merge the two |',
    '<details>\n<summary>Resolved findings</summary>\n\n```text\n  warning KARP-306 missing-requests of Deployment shop/web\n```\n\n</details>',
    '<details>\n<summary>Assumptions</summary>\n\n```text\n  - the cluster is empty\n```\n\n</details>\n',
  ].join('\n\n'));
});

test('is never longer than a GitHub comment, and counts what is left out', () => {
  const [finding] = VERDICT.findings;
  const added = Array.from({ length: 3_000 }, (_, at) => ({ ...finding, message: `${at} ${'x'.repeat(99)}` }));
  const objects = Array.from({ length: 3_000 }, (_, at) => ({ ...object, fields: [{ path: 'x'.repeat(200), before: 0, after: at }] }));
  const unschedulable = Array.from({ length: 3_000 }, (_, at) => ({ ...VERDICT.unschedulable[0], pod: `shop/x${at}y`, smallestChange: `change ${at}` }));
  const markdown = renderDifferenceMarkdown({ ...NONE, objects, unschedulable, findings: { added, removed: added } });
  expect(markdown.length).toBeLessThan(65_536);
  expect(markdown).toMatch(/and \d+ more findings \(--format json lists all\)/);
});
