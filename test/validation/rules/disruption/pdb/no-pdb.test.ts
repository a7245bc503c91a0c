import { readManifests } from '../../../../../src/validation/input/read-manifests';
import { budgetFor } from '../../../../../src/validation/rules/common/edits/budget-to-add';
import { controllerUnprotected } from '../../../../../src/validation/rules/controller/controller-unprotected';
import { noPdb } from '../../../../../src/validation/rules/disruption/pdb/no-pdb';
import { annotated, autoscaler, deployment, job, judge, manifest, nodeClass, nodePool, pdb } from '../../judge';

const rule = noPdb;
const web = deployment('web', {}, { replicas: 3 });

describe('KARP-402 no-pdb', () => {
  test('reports pods without a budget, and counts their nodes', () => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default'), web]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0].message).toContain('selects its 3 pods');
    expect(findings[0].message).toContain(
      'the plan puts them on 1 node, because nothing spreads them; its nodes expire (NodePool default after 30 days)',
    );
    expect(findings[0].remedy).toContain(
      'and topologySpreadConstraints over topology.kubernetes.io/zone and kubernetes.io/hostname',
    );
    expect(findings[0].severity).toBeUndefined();
    expect(findings[0].evidence).toEqual({ replicas: 3, nodes: 1 });
  });

  test('is a note without a plan if a strict spread keeps the pods on several nodes', () => {
    const spread = (whenUnsatisfiable: string) =>
      judge(rule, [
        deployment(
          'web',
          {
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: 'topology.kubernetes.io/zone',
                whenUnsatisfiable,
                labelSelector: { matchLabels: { app: 'web' } },
              },
            ],
          },
          { replicas: 3 },
        ),
      ]).findings[0];
    expect(spread('DoNotSchedule')).toMatchObject({
      severity: 'info',
      message:
        'no PodDisruptionBudget selects its 3 pods: one disruption by Karpenter may evict several of them at the same time',
    });
    expect(spread('ScheduleAnyway').severity).toBeUndefined();
  });

  test('says nothing of budgets and expiry before 1.0, where budgets limit it', () => {
    const [finding] = judge(rule, [nodeClass(), nodePool('default'), web], { servingVersion: '0.37.0' }).findings;
    expect(finding.message).toMatch(/; its nodes expire \(NodePool default after 30 days\)$/);
  });

  test('is a note if the pods are on several nodes, because one removed node leaves some of them', () => {
    const spread = {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
    };
    const [finding] = judge(rule, [
      nodeClass(),
      nodePool('default', { expireAfter: 'Never' }),
      deployment('web', spread, { replicas: 3 }),
    ]).findings;
    expect(finding.severity).toBe('info');
    expect(finding.message).toMatch(/the plan puts them on 3 nodes$/);
    expect(finding.remedy).not.toContain('topologySpreadConstraints');
  });

  test.each([
    ['of another namespace', pdb({ maxUnavailable: 1 }, 'web-pdb', { namespace: 'other' })],
    ['for other pods', pdb({ selector: { matchLabels: { app: 'api' } }, maxUnavailable: 1 }, 'api-pdb')],
    ['without a selector', pdb({ selector: undefined, maxUnavailable: 1 }, 'all')],
  ])('reports pods with only a budget %s', (_, budget) => {
    expect(judge(rule, [web, budget]).states).toEqual(['fail Deployment/web']);
  });

  test.each([
    ['named after it', pdb({ selector: { matchLabels: { app: 'api' } }, maxUnavailable: 1 })],
    ['with its label misspelt', pdb({ selector: { matchLabels: { app: 'webb' } }, maxUnavailable: 1 }, 'all')],
  ])('leaves pods with a budget %s, which selects nothing, to KARP-412', (_, budget) => {
    expect(judge(rule, [web, budget]).states).toEqual(['pass Deployment/web']);
  });

  test.each(['registry.k8s.io/pause:3.9', 'k8s.gcr.io/pause-amd64@sha256:0123', 'pause'])(
    'does not apply to pods that only run %s',
    (image) => {
      expect(
        judge(rule, [deployment('web', { containers: [{ name: 'pause', image }] }, { replicas: 3 })]).outcomes,
      ).toEqual([]);
      expect(
        judge(rule, [
          deployment(
            'web',
            {
              containers: [
                { name: 'pause', image },
                { name: 'web', image: 'web:1' },
              ],
            },
            { replicas: 3 },
          ),
        ]).states,
      ).toEqual(['fail Deployment/web']);
    },
  );

  test('passes pods with a budget, or with an opt-out annotation', () => {
    expect(judge(rule, [web, pdb({ maxUnavailable: 1 })]).states).toEqual(['pass Deployment/web']);
    const annotations = { 'resilience.karpenter-constructs.dev/pod-disruption-budget': 'off: stateless' };
    expect(
      judge(rule, [JSON.stringify({ ...JSON.parse(web), metadata: { name: 'web', annotations } })]).states,
    ).toEqual(['pass Deployment/web']);
  });

  test('passes pods that Karpenter never evicts, unless a terminationGracePeriod ends the drain', () => {
    const blocked = annotated(web, { 'karpenter.sh/do-not-disrupt': 'true' });
    expect(judge(rule, [nodeClass(), nodePool('default'), blocked]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [nodeClass(), nodePool('default', { terminationGracePeriod: '1h' }), blocked]).states).toEqual([
      'fail Deployment/web',
    ]);
  });

  test('is not evaluated if an invalid budget may select the pods, or the number of pods is unknown', () => {
    expect(judge(rule, [web, pdb({ maxUnavailable: '${Token[TOKEN.1]}' })]).whys).toEqual([
      'PodDisruptionBudget web-pdb may select its pods, but is invalid as written',
    ]);
    const keda = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } });
    expect(judge(rule, [web, keda]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('does not report the cluster DNS, for which KARP-904 reports priority class and budget', () => {
    const dns = (priorityClassName?: string) =>
      web
        .replaceAll('"app": "web"', '"k8s-app": "kube-dns"')
        .replace('"containers"', `"priorityClassName": "${priorityClassName ?? ''}", "containers"`);
    const messages = (text: string) =>
      [rule, controllerUnprotected].flatMap((checked) => judge(checked, [text]).findings.map(({ message }) => message));
    expect(messages(dns('system-cluster-critical'))).toEqual([expect.stringMatching(/^no PodDisruptionBudget/)]);
    expect(messages(dns())).toEqual([
      expect.stringMatching(/^no PodDisruptionBudget/),
      expect.stringMatching(/no priority class/),
    ]);
  });

  test('adds no budget with a label that is a mapping', () => {
    const added = (text: string) => {
      const model = readManifests([{ path: 'web.yaml', text }]);
      return budgetFor(model.workloads[0], model)?.object;
    };
    expect(added(web)).toMatchObject({ spec: { maxUnavailable: 1 } });
    expect(added(web.replace(/"matchLabels": ?\{/, '"matchLabels": {"of": {"a": 1},'))).toBeUndefined();
  });

  test('does not apply to a single pod, and to Jobs', () => {
    expect(judge(rule, [deployment('web'), autoscaler({ minReplicas: 1 }), job('batch')]).outcomes).toEqual([]);
  });
});
