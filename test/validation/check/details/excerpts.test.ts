import { check, renderJson } from '../../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../../setup';

test('a finding shows two lines before and after its own', () => {
  const { findings } = check(manifests(NODE_CLASS, nodePool(['m5.large']).replace('limits:', 'limitz:')));
  const { location, excerpt } = findings.find(({ message }) => message.includes('limitz'))!;
  expect(excerpt!.line).toBe(location.line - 2);
  expect(excerpt!.lines).toHaveLength(5);
  expect(excerpt!.lines[2]).toBe('  limitz: { cpu: 1000, memory: 1000Gi }');
});

test('a line of a template is cut at 160 characters', () => {
  const { findings } = check([
    {
      path: 'a.yaml',
      text: `${NODE_CLASS}---\n${nodePool(['m5.large'])}`.replace(
        'metadata: { name: main }',
        `metadata: { name: main, labels: { a: "${'x'.repeat(300)}" } }`,
      ),
    },
  ]);
  const lines = findings.flatMap(({ excerpt }) => excerpt?.lines ?? []);
  expect(lines.filter((line) => line.length > 161)).toEqual([]);
  expect(lines.some((line) => line.length === 161)).toBe(true);
});

test('schema version 1 has no excerpts, nodes or workloads', () => {
  const verdict = check(manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL)));
  const old = JSON.parse(renderJson(verdict, '1'));
  expect(old.schemaVersion).toBe('1');
  expect(Object.keys(old)).not.toEqual(expect.arrayContaining(['nodes', 'workloads']));
  expect(old.findings.length).toBeGreaterThan(0);
  expect(old.findings.some((finding: object) => 'excerpt' in finding)).toBe(false);
  expect(Object.keys(old.nodePools[0])).toEqual(['name', 'instanceTypes', 'zones', 'capacityTypes', 'elimination']);
});

test('the line of a finding is kept up to its place, however long it is, so that the report has a caret below it', () => {
  const pool = nodePool(['m5.large']).replace(
    'spec:\n',
    `spec: &spec\n  disruption: { budgets: [{ nodes: "10%" }, { reasons: [${'Drifted, '.repeat(40)}Drifted], nodez: "1" }] }\n`,
  );
  const sources = [{ path: 'a.yaml', text: `${NODE_CLASS}---\n${pool}` }];
  const finding = check(sources).findings.find(({ location }) => location.path.endsWith('nodez'))!;
  expect(finding.location.column).toBeGreaterThan(300);
  expect(finding.excerpt!.lines[finding.location.line - finding.excerpt!.line]).toContain('nodez: "1" }] }');
});
