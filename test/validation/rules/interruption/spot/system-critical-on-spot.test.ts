import { systemCriticalOnSpot } from '../../../../../src/validation/rules/interruption/spot/system-critical-on-spot';
import { deployment, judge, manifest, nodeClass, nodePool, oneOf } from '../../judge';

const rule = systemCriticalOnSpot;
const anywhere = [nodeClass(), nodePool('default')];
const onDemand = [
  nodeClass(),
  nodePool('default', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] }),
];
const coredns = deployment('coredns', {}, { replicas: 2, namespace: 'kube-system' });
const critical = deployment('agent', { priorityClassName: 'system-cluster-critical' });

function webhook(failurePolicy?: string, ...rules: object[]): string[] {
  const clientConfig = { service: { namespace: 'policies', name: 'policies' } };
  return [
    JSON.stringify({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'policies' },
      webhooks: [{ failurePolicy, clientConfig, rules }],
    }),
    manifest('v1', 'Service', 'policies', { selector: { app: 'policies' } }, { namespace: 'policies' }),
    deployment('policies', {}, { namespace: 'policies' }),
  ];
}

describe('KARP-515 system-critical-on-spot', () => {
  test.each<[string, string[], string]>([
    [
      'cluster DNS',
      [coredns],
      'answers all DNS queries of the cluster, but the node planned for its pods may be spot, all 2 on one: ',
    ],
    ['a cluster-critical priority class', [critical], 'has priority class system-cluster-critical, but '],
    [
      'a webhook with failurePolicy Fail',
      webhook(),
      'serves ValidatingWebhookConfiguration policies, without which the API server refuses requests, but ',
    ],
  ])('fails with %s', (_, documents, message) => {
    const { states, findings } = judge(rule, [...anywhere, ...documents]);
    expect(states).toHaveLength(1);
    expect(findings[0].message).toContain(message);
  });

  test('warns if only the priority class says so, and passes components that the cluster does not need to run', () => {
    const [finding] = judge(rule, [...anywhere, critical]).findings;
    expect(finding.severity).toBe('warning');
    const metrics = deployment('metrics-server', { priorityClassName: 'system-cluster-critical' });
    expect(judge(rule, [...anywhere, metrics]).outcomes).toEqual([]);
  });

  test('warns of a webhook for resources that no pod needs', () => {
    const ingresses = { apiGroups: ['networking.k8s.io'], resources: ['ingresses'] };
    const [finding] = judge(rule, [
      ...anywhere,
      ...webhook('Fail', ingresses, { apiGroups: ['cert-manager.io'], resources: ['*'] }),
    ]).findings;
    expect(finding.severity).toBe('warning');
    expect(finding.message).toMatch(
      /refuses requests for cert-manager\.io and ingresses, but .* changes of cert-manager\.io and ingresses are refused until it answers again$/,
    );
  });

  test.each([
    { apiGroups: [''], resources: ['pods'] },
    { apiGroups: ['*'], resources: ['*'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'] },
    { apiGroups: ['karpenter.sh'], resources: ['nodeclaims'] },
  ])('fails with a webhook that also admits %j', (admitted) => {
    const { findings } = judge(rule, [
      ...anywhere,
      ...webhook('Fail', { apiGroups: ['cert-manager.io'], resources: ['*'] }, admitted),
    ]);
    expect(findings[0]).toMatchObject({
      severity: undefined,
      message: expect.stringContaining('the whole cluster is affected'),
    });
  });

  test('ignores a service reference whose name is not a string', () => {
    const nameless = webhook().map((text) => text.replace('"name":"policies"}}', '"name":{"of":"policies"}}}'));
    expect(nameless[0]).toContain('"name":{"of"');
    expect(judge(rule, [...anywhere, ...nameless]).outcomes).toEqual([]);
  });

  test('passes on demand', () => {
    expect(judge(rule, [...onDemand, coredns, critical, ...webhook()]).states).toEqual([
      'pass Deployment/coredns',
      'pass Deployment/agent',
      'pass Deployment/policies',
    ]);
  });

  test('does not apply to webhooks with failurePolicy Ignore, to other workloads, or outside Karpenter nodes', () => {
    const elsewhere = deployment('coredns', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' } });
    expect(judge(rule, [...anywhere, ...webhook('Ignore'), deployment('web'), elsewhere]).outcomes).toEqual([]);
  });

  test('is not evaluated if no node is planned for the pods', () => {
    expect(judge(rule, [coredns]).whys).toEqual(['the plan has no node for its pods']);
  });
});
