import { daemonSet, deployment, judge, nodeClass, nodePool, oneOf } from './helper';
import { check } from '../../../src/validation';
import { AffinityUnsatisfiableByAnyPool } from '../../../src/validation/rules/affinity-unsatisfiable-by-any-pool';
import { PodsWithoutNode } from '../../../src/validation/rules/pods-without-node';

const rule = new AffinityUnsatisfiableByAnyPool();
const CLASS = nodeClass();
const inZone = (zone: string) => ({ nodeSelector: { 'topology.kubernetes.io/zone': zone } });
const rulesOf = (...documents: string[]) =>
  check([{ path: 'all.yaml', text: documents.join('\n---\n') }], { zones: ['us-east-1a', 'us-east-1b'] }).findings.filter(({ severity }) => severity === 'error').map(({ rule: id }) => id);

describe('KARP-213 affinity-unsatisfiable-by-any-pool', () => {
  test('fails for pods that every NodePool refuses, with what stands in the way and the smallest change', () => {
    const pool = nodePool('default', { requirements: [oneOf('topology.kubernetes.io/zone', 'us-east-1a')] });
    const { states, findings: [{ message, remedy, path }] } = judge(rule, [CLASS, pool, deployment('web', inZone('us-east-1b'), { replicas: 2 })]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(message).toBe('its 2 pods fit on no node: NodePool default: the pod wants topology.kubernetes.io/zone In [us-east-1b], the pool allows In [us-east-1a]');
    expect(remedy).toContain('us-east-1b');
    expect(path).toEqual(['spec', 'template', 'spec']);
  });

  test('passes for pods that have a node, and does not apply where there are none', () => {
    expect(judge(rule, [CLASS, nodePool('default'), deployment('web'), deployment('off', {}, { replicas: 0 })]).states)
      .toEqual(['pass Deployment/web']);
  });

  test('passes for pods that come to their zones pass after pass, and the verdict says that they wait', () => {
    const term = { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'web' } } };
    const apart = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    const verdict = (replicas: number) => check(
      [{ path: 'all.yaml', text: [CLASS, nodePool('default'), deployment('web', apart, { replicas })].join('\n---\n') }],
      { zones: ['us-east-1a', 'us-east-1b'] },
    );
    expect(verdict(2).unschedulable).toEqual([]);
    expect(verdict(2).findings.map(({ rule: id }) => id)).not.toContain('KARP-213');
    expect(verdict(2).assumptions).toContainEqual(expect.stringMatching(/^1 pod waits for later passes of Karpenter, 2 in all: until a node is launched, it is not known in which zone/));
    expect(verdict(3).findings.find(({ rule: id }) => id === 'KARP-213')?.message).toMatch(/^1 of its 3 pods fit on no node/);
  });

  test('fails for pods that Karpenter does not take up, and says that no NodePool helps', () => {
    const { findings: [{ message, remedy }] } = judge(rule, [CLASS, nodePool('default'), deployment('web', { nodeSelector: { 'karpenter.sh/capacity-type': 'Spot' } })]);
    expect(message).toBe('its pod fits on no node: no valid values found in [Spot] for karpenter.sh/capacity-type, expected one of [on-demand reserved spot]: Karpenter ignores the pod');
    expect(remedy).toMatch(/^change this in the pod template/);
  });

  test.each([
    ['without a NodePool', [CLASS, deployment('web')]],
    ['to daemonsets, which have a pod on each node', [CLASS, nodePool('default'), daemonSet('agent', {}, inZone('us-east-1f'))]],
    ['to pods for nodes of node groups', [CLASS, nodePool('default'), deployment('web', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } })]],
    ['to pods for the node group of Karpenter', [CLASS, nodePool('default'), deployment('web', { nodeSelector: { 'karpenter.sh/controller': 'true' } })]],
  ])('does not apply %s', (_, documents) => {
    expect(judge(rule, documents).outcomes).toEqual([]);
  });

  test('is not evaluated where a NodePool that may take the pods is not fully known, or the pods are not judged', () => {
    const unknown = nodePool('unknown', { labels: { team: '${Token[TOKEN.7]}' } });
    const web = deployment('web', inZone('us-east-1f'));
    expect(judge(rule, [CLASS, nodePool('default'), unknown, web]).states).toEqual(['not-evaluated Deployment/web']);
    expect(judge(rule, [CLASS, nodePool('default'), deployment('web', { schedulingGates: [{ name: 'later' }] })]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('leaves it to rules that name the mistake', () => {
    const pool = nodePool('default');
    expect(rulesOf(CLASS, pool, deployment('web', inZone('us-east-1f')))).toEqual(['KARP-213']);
    expect(rulesOf(CLASS, pool, deployment('web', { nodeSelector: { project: 'core' } }))).toEqual(['KARP-106']);
  });
});

describe('KARP-318 pods-without-node', () => {
  const limited = nodePool('default', { limits: { cpu: '2' } });
  const large = (name: string, more: object = {}) => deployment(name, more, { replicas: 40, requests: { cpu: '1' } });

  test('fails for pods that limits leave no room for, and KARP-213 does not', () => {
    const documents = [CLASS, limited, large('web')];
    const { states, findings: [{ message }] } = judge(new PodsWithoutNode(), documents);
    expect(states).toEqual(['fail Deployment/web']);
    expect(message).toMatch(/^(\d+ of )?its 40 pods fit on no node: NodePool default: limits\.cpu has /);
    expect(judge(rule, documents).states).toEqual(['pass Deployment/web']);
  });

  test('fails for pods whose node cannot be launched, be they planned onto it', () => {
    const minimum = { key: 'karpenter.k8s.aws/instance-family', operator: 'Exists', minValues: 50 };
    const pool = nodePool('default', { requirements: [minimum, oneOf('karpenter.sh/capacity-type', 'on-demand')] });
    const { states, findings: [{ message, remedy }] } = judge(new PodsWithoutNode(), [CLASS, pool, deployment('web', {}, { replicas: 2 })]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(message).toMatch(/^2 of its pods wait for a node that cannot be launched, default-0: insufficient capacity, .*minValues requirement is not met .*; Karpenter plans it again and again$/);
    expect(remedy).toMatch(/^lower the minValues of NodePool default/);
  });

  test('passes for pods that constraints keep from every node, which KARP-213 is about', () => {
    expect(judge(new PodsWithoutNode(), [CLASS, nodePool('default'), deployment('web', inZone('us-east-1f'))]).states).toEqual(['pass Deployment/web']);
  });

  test('is not evaluated where a NodePool that may take the pods is not fully known, and does not apply without one', () => {
    const unknown = nodePool('unknown', { labels: { team: '${Token[TOKEN.7]}' } });
    expect(judge(new PodsWithoutNode(), [CLASS, limited, unknown, large('web')]).states).toEqual(['not-evaluated Deployment/web']);
    expect(judge(new PodsWithoutNode(), [CLASS, large('web')]).outcomes).toEqual([]);
  });
});
