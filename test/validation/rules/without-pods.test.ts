import { deployment, judge, manifest, nodeClass, nodePool, types } from './helper';
import { Rule } from '../../../src/validation/rules';
import { CustomLabelUnknownToAnyNodePool } from '../../../src/validation/rules/custom-label-unknown-to-any-nodepool';
import { PodLargerThanLargestAllowedNode } from '../../../src/validation/rules/pod-larger-than-largest-allowed-node';
import { RequirementKeyNotWellKnown } from '../../../src/validation/rules/requirement-key-not-well-known';
import { TaintWithoutToleration } from '../../../src/validation/rules/taint-without-toleration';

const POOL = [nodeClass(), nodePool('default', { requirements: [types('m5.large')] })];
const TAINTED = [nodeClass(), nodePool('default', { taints: [{ key: 'team', effect: 'NoSchedule' }] })];
const CASES: ReadonlyArray<readonly [string, Rule, readonly string[], object, string]> = [
  ['KARP-105', new RequirementKeyNotWellKnown(), POOL, { nodeSelector: { 'node.kubernetes.io/instance-category': 'm' } }, '1'],
  ['KARP-106', new CustomLabelUnknownToAnyNodePool(), POOL, { nodeSelector: { team: 'web' } }, '1'],
  ['KARP-211', new TaintWithoutToleration(), TAINTED, {}, '1'],
  ['KARP-301', new PodLargerThanLargestAllowedNode(), POOL, {}, '64'],
];

describe('a workload that is scaled to 0', () => {
  test.each(CASES)('is warned by %s of what would be an error of its pods', (_, rule, setup, pod, cpu) => {
    const ofWeb = (replicas: number, ...others: string[]) => judge(rule, [...setup, deployment('web', pod, { replicas, requests: { cpu, memory: '1Gi' } }), ...others])
      .findings.find(({ object }) => object.name === 'web');
    expect(ofWeb(1)).toMatchObject({ severity: undefined, message: expect.not.stringContaining('scaled to 0') });
    expect(ofWeb(0)).toMatchObject({ severity: 'warning', message: expect.stringMatching(/; it is scaled to 0, and has no pods yet$/) });
    expect(ofWeb(0, manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } }))).toMatchObject({ severity: undefined });
  });
});
