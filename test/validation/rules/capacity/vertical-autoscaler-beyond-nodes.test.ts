import { verticalAutoscalerBeyondNodes } from '../../../../src/validation/rules/capacity/vertical-autoscaler-beyond-nodes';
import { deployment, judge, manifest, nodeClass, nodePool, types } from '../judge';

const rule = verticalAutoscalerBeyondNodes;
const SETUP = [nodeClass(), nodePool('default', { requirements: [types('m5.large', 'm5.xlarge')] }), deployment('web')];

function vpa(policy: object, spec: object = {}): string {
  return manifest('autoscaling.k8s.io/v1', 'VerticalPodAutoscaler', 'web', {
    targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    resourcePolicy: { containerPolicies: [{ containerName: 'main', ...policy }] },
    ...spec,
  });
}

function findingsOf(policy: object, spec?: object) {
  return judge(rule, [...SETUP, vpa(policy, spec)]).findings;
}

describe('KARP-331 vertical-autoscaler-beyond-nodes', () => {
  test('reports the amount that no node has, with the largest one that fits', () => {
    const [finding, ...others] = findingsOf({ maxAllowed: { cpu: '2', memory: '64Gi' } });
    expect(others).toEqual([]);
    expect(finding.message).toContain(
      'maxAllowed.memory: 64Gi of container main lets Deployment web grow to 64Gi of memory a pod, more than any node of NodePool default: the nearest, m5.xlarge, has ',
    );
    expect(finding).toMatchObject({
      path: ['spec', 'resourcePolicy', 'containerPolicies', 0, 'maxAllowed', 'memory'],
      remedy: 'write maxAllowed.memory: 13Gi or less, or let a NodePool allow larger instance types',
      fix: { edits: [{ value: '13Gi' }] },
    });
    const changed = findingsOf({ maxAllowed: { cpu: '2', memory: '13Gi' } });
    expect(changed).toEqual([]);
  });

  test('reports cpu, a policy for all containers, and a lower bound as an error', () => {
    expect(findingsOf({ containerName: '*', maxAllowed: { cpu: '8' } })[0].remedy).toMatch(/^write maxAllowed.cpu: 3 /);
    expect(findingsOf({ minAllowed: { memory: '20Gi' }, maxAllowed: { memory: '30Gi' } })).toMatchObject([
      { severity: 'error', evidence: { field: 'minAllowed.memory' } },
    ]);
  });

  test('reports bounds of a container that the pods lack, if there is one policy and one container', () => {
    expect(findingsOf({ containerName: 'postgres', maxAllowed: { memory: '1Gi' } })).toMatchObject([
      { remedy: 'write containerName: main', evidence: { container: 'postgres', only: 'main' } },
    ]);
    expect(findingsOf({ containerName: 'istio-proxy', mode: 'Off' })).toEqual([]);
  });

  test('passes bounds that fit, other resources, and amounts without a bound', () => {
    expect(findingsOf({ maxAllowed: { cpu: '3', memory: '12Gi' } })).toEqual([]);
    expect(findingsOf({ controlledResources: ['cpu'], maxAllowed: { memory: '64Gi' } })).toEqual([]);
    expect(findingsOf({ mode: 'Off', maxAllowed: { memory: '64Gi' } })).toEqual([]);
    expect(findingsOf({})).toEqual([]);
  });

  test('does not apply to autoscalers that change no pod of the input', () => {
    const policy = { maxAllowed: { memory: '64Gi' } };
    expect(judge(rule, [...SETUP, vpa(policy, { updatePolicy: { updateMode: 'Off' } })]).outcomes).toEqual([]);
    expect(judge(rule, [...SETUP, vpa(policy, { targetRef: { kind: 'Deployment', name: 'x' } })]).outcomes).toEqual([]);
  });
});
