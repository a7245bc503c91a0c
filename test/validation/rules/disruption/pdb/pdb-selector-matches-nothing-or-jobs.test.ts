import { pdbSelectorMatchesNothingOrJobs } from '../../../../../src/validation/rules/disruption/pdb/pdb-selector-matches-nothing-or-jobs';
import { deployment, job, judge, manifest, pdb } from '../../judge';

const rule = pdbSelectorMatchesNothingOrJobs;
const web = deployment('web', {}, { replicas: 2 });
const bare = manifest(
  'v1',
  'Pod',
  'web-test',
  { containers: [{ name: 'main', image: 'app' }] },
  { labels: { app: 'web' } },
);

describe('KARP-412 pdb-selector-matches-nothing-or-jobs', () => {
  test('reports a selector that matches no pod labels, and a missing selector', () => {
    const [finding] = judge(rule, [
      web,
      pdb({ selector: { matchLabels: { app: 'wbe' } }, maxUnavailable: 1 }),
    ]).findings;
    expect(finding.message).toBe(
      'protects no pod of the 1 workload in namespace default: its selector matches no pod labels',
    );
    expect(judge(rule, [web, pdb({ selector: undefined, maxUnavailable: 1 })]).findings[0].message).toContain(
      'it has no selector',
    );
  });

  test('is not evaluated if a chart has the name of another release in the selector', () => {
    const object = JSON.parse(web);
    object.metadata.labels = { 'helm.sh/chart': 'web-1.0.0' };
    object.spec.template.metadata.labels['app.kubernetes.io/instance'] = 'assumed';
    const chart = JSON.stringify(object);
    const selecting = (app: string) =>
      pdb({ selector: { matchLabels: { app, 'app.kubernetes.io/instance': 'prod' } }, maxUnavailable: 1 });
    expect(judge(rule, [chart, selecting('web')]).whys).toEqual([
      'it selects pods of the Helm release prod, whose name is written in the chart',
    ]);
    expect(judge(rule, [chart, selecting('wbe')]).states).toEqual(['fail PodDisruptionBudget/web-pdb']);
  });

  test('reports a budget in another namespace than its pods', () => {
    const inNamespace = (document: string, namespace: string) => {
      const object = JSON.parse(document);
      return JSON.stringify({ ...object, metadata: { ...object.metadata, namespace } });
    };
    const budget = pdb({ maxUnavailable: 1 });
    expect(judge(rule, [inNamespace(web, 'shop'), inNamespace(budget, 'ops')]).findings).toMatchObject([
      { path: ['metadata', 'namespace'], remedy: 'write namespace: shop' },
    ]);
    expect(judge(rule, [inNamespace(web, 'shop'), budget]).outcomes).toEqual([]);
    expect(judge(rule, [inNamespace(web, 'a'), inNamespace(web, 'b'), inNamespace(budget, 'ops')]).outcomes).toEqual(
      [],
    );
  });

  test.each([{ maxUnavailable: 1 }, { maxUnavailable: '50%' }, { minAvailable: '50%' }])(
    'reports a budget with %j that selects a Job',
    (fields) => {
      const [finding] = judge(rule, [job('web'), pdb(fields)]).findings;
      expect(finding.message).toContain('Job web');
    },
  );

  test('says that pods of a Job also block evictions of a Deployment', () => {
    const [{ message }] = judge(rule, [
      web,
      job('migrate').replace('"app": "migrate"', '"app": "web"'),
      pdb({ maxUnavailable: 1 }),
    ]).findings;
    expect(message).toBe(
      'maxUnavailable needs a replica count, which Job migrate does not have: Kubernetes allows no eviction of its pods, ' +
        'nor of Deployment web while those pods exist',
    );
  });

  test('reports pods without a controller, unless the budget also selects pods with one', () => {
    expect(judge(rule, [bare, pdb({ maxUnavailable: 1 })]).findings[0].message).toContain('Pod web-test');
    expect(judge(rule, [web, bare, pdb({ maxUnavailable: 1 })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
  });

  test('is not evaluated if the budget selects pods of an unknown kind', () => {
    const cloneSet = deployment('api')
      .replace('"apps/v1"', '"apps.kruise.io/v1alpha1"')
      .replace('"Deployment"', '"CloneSet"');
    expect(
      judge(rule, [web, cloneSet, pdb({ selector: { matchLabels: { app: 'api' } }, maxUnavailable: 1 })]).whys,
    ).toEqual(['it selects pods of CloneSet api, a kind that this tool does not know']);
  });

  test.each([
    [{ matchLabels: { 'statefulset.kubernetes.io/pod-name': 'db-0' } }, 'statefulset.kubernetes.io/pod-name'],
    [
      { matchExpressions: [{ key: 'apps.kubernetes.io/pod-index', operator: 'In', values: ['0'] }] },
      'apps.kubernetes.io/pod-index',
    ],
  ])('is not evaluated for %j, a label that controllers set', (selector, label) => {
    expect(judge(rule, [web, pdb({ selector, maxUnavailable: 1 })]).whys).toEqual([
      `it selects by ${label}, which only running pods have`,
    ]);
  });

  test('matches the labels that the Job controller sets', () => {
    expect(
      judge(rule, [job('migrate'), pdb({ selector: { matchLabels: { 'job-name': 'migrate' } }, maxUnavailable: 1 })])
        .findings[0].message,
    ).toContain('Job migrate');
  });

  test('passes workloads with replicas, and Jobs with a minAvailable number', () => {
    expect(judge(rule, [web, pdb({ maxUnavailable: 1 })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
    expect(judge(rule, [job('web'), pdb({ minAvailable: 1 })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
  });

  test('does not apply in a namespace without workloads', () => {
    expect(judge(rule, [web, pdb({ maxUnavailable: 1 }, 'web-pdb', { namespace: 'other' })]).outcomes).toEqual([]);
  });
});
