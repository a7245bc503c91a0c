import { deployment, job, judge, manifest, pdb } from './helper';
import { PdbSelectorMatchesNothingOrJobs } from '../../../src/validation/rules/pdb-selector-matches-nothing-or-jobs';

const rule = new PdbSelectorMatchesNothingOrJobs();
const web = deployment('web', {}, { replicas: 2 });
const bare = manifest('v1', 'Pod', 'web-test', { containers: [{ name: 'main', image: 'app' }] }, { labels: { app: 'web' } });

describe('KARP-412 pdb-selector-matches-nothing-or-jobs', () => {
  test('fails where the selector matches no pod labels, or there is none', () => {
    const [other] = judge(rule, [web, pdb({ selector: { matchLabels: { app: 'wbe' } }, maxUnavailable: 1 })]).findings;
    expect(other.message).toBe('guards no pod of the 1 workload in namespace default: its selector matches the pod labels of none');
    expect(judge(rule, [web, pdb({ selector: undefined, maxUnavailable: 1 })]).findings[0].message).toContain('it has no selector');
  });

  test.each([{ maxUnavailable: 1 }, { maxUnavailable: '50%' }, { minAvailable: '50%' }])('fails for Jobs with %j', (fields) => {
    const [finding] = judge(rule, [job('web'), pdb(fields)]).findings;
    expect(finding.message).toContain('Job web');
  });

  test('tells that pods of a Job keep those of a Deployment too', () => {
    const [{ message }] = judge(rule, [web, job('migrate').replace('"app": "migrate"', '"app": "web"'), pdb({ maxUnavailable: 1 })]).findings;
    expect(message).toBe('cannot tell how many pods there should be of Job migrate, which have no replicas, and so never lets one of them go, '
      + 'nor one of Deployment web as long as they are there');
  });

  test('fails for bare pods alone, which count for nothing beside those that have a controller', () => {
    expect(judge(rule, [bare, pdb({ maxUnavailable: 1 })]).findings[0].message).toContain('Pod web-test');
    expect(judge(rule, [web, bare, pdb({ maxUnavailable: 1 })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
  });

  test('is not evaluated where the pods are those of something that this tool does not know', () => {
    const rollout = deployment('api').replace('"apps/v1"', '"argoproj.io/v1alpha1"').replace('"Deployment"', '"Rollout"');
    expect(judge(rule, [web, rollout, pdb({ selector: { matchLabels: { app: 'api' } }, maxUnavailable: 1 })]).whys)
      .toEqual(['it selects pods of Rollout api, which this tool does not know']);
  });

  test.each([
    [{ matchLabels: { 'statefulset.kubernetes.io/pod-name': 'db-0' } }, 'statefulset.kubernetes.io/pod-name'],
    [{ matchExpressions: [{ key: 'apps.kubernetes.io/pod-index', operator: 'In', values: ['0'] }] }, 'apps.kubernetes.io/pod-index'],
  ])('is not evaluated for %j, which is in no pod template', (selector, label) => {
    expect(judge(rule, [web, pdb({ selector, maxUnavailable: 1 })]).whys).toEqual([`it selects by ${label}, which is written on pods as they are made`]);
  });

  test('knows the labels that pods of a Job have', () => {
    expect(judge(rule, [job('migrate'), pdb({ selector: { matchLabels: { 'job-name': 'migrate' } }, maxUnavailable: 1 })]).findings[0].message).toContain('Job migrate');
  });

  test('passes for workloads with replicas, and for Jobs with a number', () => {
    expect(judge(rule, [web, pdb({ maxUnavailable: 1 })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
    expect(judge(rule, [job('web'), pdb({ minAvailable: 1 })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
  });

  test('does not apply in a namespace without workloads', () => {
    expect(judge(rule, [web, pdb({ maxUnavailable: 1 }, 'web-pdb', { namespace: 'other' })]).outcomes).toEqual([]);
  });
});
