import { requirementDriftsNodes } from '../../../../src/validation/rules/disruption/requirement-drifts-nodes';
import { karpenterNode, nodeClaim } from '../../cluster/dump';
import { judge, nodeClass, nodePool } from '../judge';

const rule = requirementDriftsNodes;
const cluster = (...items: object[]) => ({
  cluster: items.map((item, index) => ({ path: `cluster-${index}.yaml`, text: JSON.stringify(item) })),
});
const FLEX = 'karpenter.k8s.aws/instance-capability-flex';
const judged = (requirement: { key: string; operator: string; values?: string[] }) =>
  judge(
    rule,
    [nodeClass(), nodePool('default', { requirements: [requirement] })],
    cluster(karpenterNode('ip-1'), nodeClaim('ip-1')),
  );

describe('KARP-433 requirement-drifts-nodes', () => {
  test('reports a required label that the nodes lack, with the requirement that they meet', () => {
    expect(judged({ key: FLEX, operator: 'In', values: ['false'] }).findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'requirements', 0, 'key'],
        remedy: 'write operator: NotIn, values: ["true"], which a node without the label meets',
        evidence: { label: FLEX, nodes: 1, lacking: 1 },
      },
    ]);
    expect(judged({ key: 'team', operator: 'Exists' }).findings[0].remedy).toMatch(
      /^exclude the unwanted values with NotIn/,
    );
  });

  test.each([
    { key: FLEX, operator: 'NotIn', values: ['true'] },
    { key: 'team', operator: 'DoesNotExist' },
  ])('passes %j', (requirement) => {
    expect(judged(requirement).states).toEqual(['pass NodePool/default']);
  });

  test('does not apply without nodes in the cluster', () => {
    expect(judge(rule, [nodeClass(), nodePool('default')]).outcomes).toEqual([]);
  });
});
