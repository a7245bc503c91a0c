import { annotated, autoscaler, deployment, job, judge, manifest, nodeClass, nodePool, pdb } from './helper';
import { ControllerUnprotected } from '../../../src/validation/rules/controller-unprotected';
import { NoPdb } from '../../../src/validation/rules/no-pdb';

const rule = new NoPdb();
const web = deployment('web', {}, { replicas: 3 });

describe('KARP-402 no-pdb', () => {
  test('fails where none selects the pods, and says on how many nodes they are', () => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default'), web]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0].message).toContain('selects its 3 pods');
    expect(findings[0].message).toContain('the plan has them on 1 node');
    expect(findings[0].evidence).toEqual({ replicas: 3, nodes: 1 });
  });

  test.each([
    ['of another namespace', pdb({ maxUnavailable: 1 }, 'web-pdb', { namespace: 'other' })],
    ['for other pods', pdb({ selector: { matchLabels: { app: 'api' } }, maxUnavailable: 1 })],
    ['without a selector', pdb({ selector: undefined, maxUnavailable: 1 })],
  ])('fails beside a budget %s', (_, budget) => {
    expect(judge(rule, [web, budget]).states).toEqual(['fail Deployment/web']);
  });

  test('passes with a budget, or with a word on why there is none', () => {
    expect(judge(rule, [web, pdb({ maxUnavailable: 1 })]).states).toEqual(['pass Deployment/web']);
    const annotations = { 'resilience.karpenter-constructs.dev/pod-disruption-budget': 'off: stateless' };
    expect(judge(rule, [JSON.stringify({ ...JSON.parse(web), metadata: { name: 'web', annotations } })]).states).toEqual(['pass Deployment/web']);
  });

  test('passes pods that Karpenter never moves, as long as their drain has no end', () => {
    const held = annotated(web, { 'karpenter.sh/do-not-disrupt': 'true' });
    expect(judge(rule, [nodeClass(), nodePool('default'), held]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [nodeClass(), nodePool('default', { terminationGracePeriod: '1h' }), held]).states).toEqual(['fail Deployment/web']);
  });

  test('is not evaluated where a budget may select them, or the number of pods is not known', () => {
    expect(judge(rule, [web, pdb({ maxUnavailable: '${Token[TOKEN.1]}' })]).whys)
      .toEqual(['PodDisruptionBudget web-pdb may select its pods, but cannot be used as it is written']);
    const keda = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } });
    expect(judge(rule, [web, keda]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('leaves the DNS of the cluster to KARP-904, which speaks of its priority class first', () => {
    const dns = (priorityClassName?: string) => web.replaceAll('"app": "web"', '"k8s-app": "kube-dns"').replace('"containers"', `"priorityClassName": "${priorityClassName ?? ''}", "containers"`);
    const rules = (text: string) => [rule, new ControllerUnprotected()].flatMap((each) => judge(each, [text]).findings.map(({ message }) => message));
    expect(rules(dns('system-cluster-critical'))).toEqual([expect.stringMatching(/^no PodDisruptionBudget/)]);
    expect(rules(dns())).toEqual([expect.stringMatching(/^no PodDisruptionBudget/), expect.stringMatching(/no priority class/)]);
  });

  test('does not apply to a single pod, and to batch work', () => {
    expect(judge(rule, [deployment('web'), autoscaler({ minReplicas: 1 }), job('batch')]).outcomes).toEqual([]);
  });
});
