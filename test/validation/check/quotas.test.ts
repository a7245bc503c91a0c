import { check } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

const quotaSentences = (replicas: number, type = 'm5.24xlarge') => {
  const pool = nodePool([type]).replace('limits: { cpu: 1000, memory: 1000Gi }', 'limits: { cpu: 9000 }');
  const { assumptions } = check(manifests(NODE_CLASS, pool, deployment('web', replicas, 'cpu: 90, memory: 8Gi')));
  return assumptions.filter((sentence) => /quotas/.test(sentence));
};

test('a large plan says how many vCPUs of the quota it needs', () => {
  expect(quotaSentences(12)).toEqual([
    'EC2 quotas are not in the input: the new nodes need 1,152 on-demand vCPUs (L-1216C47A), beside what already runs',
  ]);
  expect(quotaSentences(3)).toEqual([]);
});

test('instances with another quota are not counted', () => {
  expect(quotaSentences(12, 'g5.48xlarge')).toEqual([]);
});
