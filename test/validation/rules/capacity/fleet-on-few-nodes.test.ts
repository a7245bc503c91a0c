import { fleetOnFewNodes } from '../../../../src/validation/rules/capacity/fleet-on-few-nodes';
import { NODE_CLASS, nodePool } from '../../setup';
import { judge } from '../judge';

const rule = fleetOnFewNodes;
const TYPES = /key: node.kubernetes.io\/instance-type, operator: In, values: \[[^\]]*\]/;
const pool = (requirement: string) => nodePool(['any']).replace(TYPES, requirement);
const ANY_SIZE = pool(
  'key: karpenter.k8s.aws/instance-family, operator: In, values: [m7i] }\n      - { key: topology.kubernetes.io/zone, operator: In, values: [us-east-1a, us-east-1b]',
);

function spread(name: string, replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      topologySpreadConstraints:
      - { maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: ${name} } } }
      containers: [{ name: main, image: i, resources: { requests: { cpu: 1, memory: 2Gi } } }]
`;
}

describe('KARP-324 fleet-on-few-nodes', () => {
  test('reports a node with a third of all pods, and bounds the size', () => {
    const { findings } = judge(rule, [NODE_CLASS, ANY_SIZE, spread('web', 60), spread('api', 60)]);
    expect(findings).toMatchObject([{ path: ['spec', 'template', 'spec', 'requirements'], evidence: { of: 120 } }]);
    expect(findings[0].remedy).toBe(
      'add the requirement {key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ["17"]}',
    );
  });

  test('passes small nodes, and one workload that nothing spreads', () => {
    expect(judge(rule, [NODE_CLASS, ANY_SIZE, spread('web', 9)]).findings).toEqual([]);
    const packed = spread('web', 60).replace(/ {6}topologySpread[^]*?\n(?= {6}containers)/, '');
    expect(judge(rule, [NODE_CLASS, ANY_SIZE, packed]).findings).toEqual([]);
  });

  test('does not apply to NodePools with an upper size', () => {
    const bounds = [
      'key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ["200"]',
      'key: karpenter.k8s.aws/instance-size, operator: NotIn, values: [24xlarge, 48xlarge]',
    ];
    for (const bound of bounds)
      expect(judge(rule, [NODE_CLASS, pool(bound), spread('web', 60), spread('api', 60)]).outcomes).toEqual([]);
  });
});
