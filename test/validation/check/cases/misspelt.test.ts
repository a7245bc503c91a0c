import { CLASS, explainedRemedy, pool, verdictOf, workload } from './fixtures';

const misspeltPod = (pod: string, more: object = {}) => [CLASS, pool('general'), workload('web', { pod, ...more })];

describe('a value that is misspelt in a pod', () => {
  test('gets the known value, at the value, with a safe fix', () => {
    const documents = misspeltPod('nodeSelector: { karpenter.sh/capacity-type: On-Demand }');
    const { errors, changes } = verdictOf(documents);
    const remedy = 'select nodes with capacity type on-demand instead of On-Demand';
    expect(errors).toEqual([
      expect.objectContaining({
        rule: 'KARP-213',
        path: 'spec.template.spec.nodeSelector["karpenter.sh/capacity-type"]',
        remedy,
        fix: expect.objectContaining({ safe: true }),
      }),
    ]);
    expect(changes).toEqual(Array(3).fill(remedy));
    expect(explainedRemedy(documents, 'shop/web-0')).toBe(remedy);
  });

  test('gets no fix if it is a zone that the region does not have, because each other zone may be meant', () => {
    const documents = misspeltPod('nodeSelector: { topology.kubernetes.io/zone: eu-west-1d }');
    const { errors, changes } = verdictOf(documents, { region: 'eu-west-1' });
    const remedy = 'select nodes with zone eu-west-1a, eu-west-1b or eu-west-1c instead of eu-west-1d';
    expect(errors).toEqual([expect.objectContaining({ rule: 'KARP-216', remedy, fix: undefined })]);
    expect(changes).toEqual(Array(3).fill(remedy));
  });
});
