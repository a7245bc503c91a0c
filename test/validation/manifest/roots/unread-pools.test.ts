import { check, withUnreadPools } from '../../../../src/validation';
import { deployment, SMALL } from '../../setup';

const TEMPLATE =
  '{{- if .Values.pools }}\napiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: { name: default }\n{{- end }}\n';

describe('NodePools in templates of a chart that helm does not render', () => {
  const pool = { path: 'charts/nodes/templates/pool.yaml', text: TEMPLATE, isFound: true };
  const web = { path: 'web/all.yaml', text: deployment('web', 1, SMALL), isFound: true };
  const release = { name: 'nodes', chart: 'charts/nodes', values: [], parameters: [], missing: [] };
  const why =
    'its dependencies are not in its folder charts: karpenter; run `helm dependency build charts/nodes` first';
  const roots = [
    { name: 'web', kind: 'files' as const, sources: [web], notes: [] },
    { name: 'charts/nodes', kind: 'chart' as const, sources: [], notes: [], release, skipped: `not rendered: ${why}` },
  ];

  test('have the reason and the cure of the chart', () => {
    const [{ sources }] = withUnreadPools(roots, [pool, web]);
    const finding = check(sources).findings.find(({ rule }) => rule === 'KARP-001');
    expect(finding).toMatchObject({
      message: expect.stringContaining('is not rendered: its dependencies are not in its folder charts: karpenter'),
      remedy: 'run `helm dependency build charts/nodes` first',
      severity: 'warning',
    });
  });
});
