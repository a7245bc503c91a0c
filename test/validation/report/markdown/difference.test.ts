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
const object = {
  apiVersion: 'v1',
  kind: 'Pod',
  namespace: 'shop',
  name: 'web',
  change: 'changed',
  fields: [{ path: 'spec.replicas', before: 1, after: 2 }],
} as const;

test('renders one line if nothing changes', () => {
  expect(renderDifferenceMarkdown(NONE)).toBe('## Nothing changes.\n');
});

test('renders the outcome, changes and new findings, and collapses resolved findings', () => {
  expect(
    renderDifferenceMarkdown({
      ...NONE,
      objects: [object],
      findings: { added: [VERDICT.findings[0]], removed: [VERDICT.findings[1]] },
    }),
  ).toBe(
    [
      '## Unchanged: \\$0.3000/h (\\$219/month); 3 new nodes; 4 of 7 pods fit.',
      '1 new error (KARP-109); 1 finding resolved.',
      '<details>\n<summary>Changes</summary>\n\n```text\n  Pod shop/web\n    spec.replicas: 1 → 2\n```\n\n</details>',
      '<details open>\n<summary>1 new error</summary>',
      '| Where | Problem | What to write instead |\n| --- | --- | --- |\n' +
        '| [KARP-109] duplicate-yaml-key<br>[`a.yaml:3`](a.yaml#L3) | the key "a" is written twice | merge the two |',
      '</details>',
      '<details>\n<summary>Resolved findings</summary>\n\n```text\n  warning KARP-306 missing-requests of Deployment shop/web\n```\n\n</details>',
      '<details>\n<summary>Assumptions</summary>\n\n```text\n  - the cluster is empty\n```\n\n</details>',
      '[KARP-109]: https://github.com/karpenter-constructs/karpenter-constructs/blob/main/docs/rules/KARP-109.md\n',
    ].join('\n\n'),
  );
});

test('is shorter than a GitHub comment, and counts what is left out', () => {
  const [finding] = VERDICT.findings;
  const added = Array.from({ length: 3_000 }, (_, at) => ({ ...finding, message: `${at} ${'x'.repeat(99)}` }));
  const objects = Array.from({ length: 3_000 }, (_, at) => ({
    ...object,
    fields: [{ path: 'x'.repeat(200), before: 0, after: at }],
  }));
  const unschedulable = Array.from({ length: 3_000 }, (_, at) => ({
    ...VERDICT.unschedulable[0],
    pod: `shop/x${at}y`,
    smallestChange: `change ${at}`,
  }));
  const markdown = renderDifferenceMarkdown({ ...NONE, objects, unschedulable, findings: { added, removed: added } });
  expect(markdown.length).toBeLessThan(25_000);
  expect(markdown).toMatch(/and [\d,]+ more findings \(--format json lists all\)/);
});

test('renders the change per month first, and a table of the NodePools whose nodes change', () => {
  const after = { ...VERDICT.summary, nodes: 4, cost: { ...VERDICT.summary.cost, usdPerHour: 0.4 } };
  const pool = {
    name: 'default',
    change: 'changed',
    instanceTypes: { added: [], removed: [] },
    zones: { added: [], removed: [] },
    capacityTypes: { added: [], removed: [] },
    nodes: { before: 3, after: 4 },
    usdPerHour: { before: 0.3, after: 0.4 },
  } as const;
  const markdown = renderDifferenceMarkdown({
    ...NONE,
    summary: { before: VERDICT.summary, after },
    nodePools: [pool, { ...pool, name: 'same', nodes: { before: 1, after: 1 }, usdPerHour: { before: 0, after: 0 } }],
  });
  expect(markdown).toMatch(
    /^## \+\\\$73\/month: \\\$0\.3000\/h → \\\$0\.4000\/h; 3 → 4 new nodes; 4 of 7 pods fit\.\n/,
  );
  expect(markdown).toContain(
    '\n| NodePool | New nodes | Per month |\n| --- | --- | --- |\n| `default` | 3 → 4 | \\$219 → \\$292 |\n\n',
  );
});
