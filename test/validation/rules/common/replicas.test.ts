import { Rule } from '../../../../src/validation/rules';
import { customLabelUnknownToAnyNodePool } from '../../../../src/validation/rules/api/custom-label-unknown-to-any-nodepool';
import { requirementKeyNotWellKnown } from '../../../../src/validation/rules/api/requirement-key-not-well-known';
import { podLargerThanLargestAllowedNode } from '../../../../src/validation/rules/capacity/pod-larger-than-largest-allowed-node';
import { taintWithoutToleration } from '../../../../src/validation/rules/instance-selection/taint-without-toleration';
import { deployment, judge, manifest, nodeClass, nodePool, types } from '../judge';

const POOL = [nodeClass(), nodePool('default', { requirements: [types('m5.large')] })];
const TAINTED = [nodeClass(), nodePool('default', { taints: [{ key: 'team', effect: 'NoSchedule' }] })];
const CASES: ReadonlyArray<readonly [string, Rule, readonly string[], object, string]> = [
  [
    'KARP-105',
    requirementKeyNotWellKnown,
    POOL,
    { nodeSelector: { 'node.kubernetes.io/instance-category': 'm' } },
    '1',
  ],
  ['KARP-106', customLabelUnknownToAnyNodePool, POOL, { nodeSelector: { team: 'web' } }, '1'],
  ['KARP-211', taintWithoutToleration, TAINTED, { tolerations: [{ key: 'other', operator: 'Exists' }] }, '1'],
  ['KARP-301', podLargerThanLargestAllowedNode, POOL, {}, '64'],
];

describe('KARP rules on a workload with 0 replicas', () => {
  test.each(CASES)(
    '%s reports a warning instead of an error, unless KEDA scales the workload',
    (_, rule, setup, pod, cpu) => {
      const webFinding = (replicas: number, ...others: string[]) =>
        judge(rule, [
          ...setup,
          deployment('web', pod, { replicas, requests: { cpu, memory: '1Gi' } }),
          ...others,
        ]).findings.find(({ object }) => object.name === 'web');
      expect(webFinding(1)).toMatchObject({ severity: undefined, message: expect.not.stringContaining('scaled to 0') });
      expect(webFinding(0)).toMatchObject({
        severity: 'warning',
        message: expect.stringMatching(/; it is scaled to 0, so no pod is affected yet$/),
      });
      expect(
        webFinding(0, manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } })),
      ).toMatchObject({ severity: undefined });
    },
  );
});
