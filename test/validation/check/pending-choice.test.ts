import { check } from '../../../src/validation';
import { deployment, NODE_CLASS, nodePool } from '../setup';

const REQUEST = 'cpu: 1500m, memory: 1Gi';
const LIMITED = nodePool(['m5.large']).replace('cpu: 1000,', 'cpu: 4,');
const PRIORITY = '{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1000}\n';
const withPriority = (name: string) => deployment(name, 2, REQUEST, '      priorityClassName: high\n');

const choice = (...objects: readonly string[]) =>
  check([{ path: 'a.yaml', text: [NODE_CLASS, LIMITED, ...objects].join('---\n') }]).assumptions.filter((sentence) =>
    sentence.startsWith('limits leave'),
  );

describe('pods that stay without a node because of limits', () => {
  test('are counted, and which ones is open', () => {
    expect(choice(deployment('a', 2, REQUEST), deployment('b', 2, REQUEST))).toEqual([
      'limits leave 2 pods without a node: how many is known, which ones is open, because the Kubernetes scheduler binds pods to nodes in its own order; a higher priority class decides',
    ]);
  });

  test('are known if all pods are of one workload, or if nothing is limited', () => {
    expect(choice(deployment('a', 4, REQUEST))).toEqual([]);
    expect(choice(deployment('a', 1, REQUEST), deployment('b', 1, REQUEST))).toEqual([]);
  });

  test('are known if the others have a higher priority', () => {
    const [a, b] = [deployment('a', 2, REQUEST), deployment('b', 2, REQUEST)];
    const sentences = [choice(withPriority('a'), b, PRIORITY), choice(a, withPriority('b'), PRIORITY)];
    // One of the two is what Karpenter's order leaves out.
    expect(sentences.filter((list) => list.length === 0)).toHaveLength(1);
  });
});
