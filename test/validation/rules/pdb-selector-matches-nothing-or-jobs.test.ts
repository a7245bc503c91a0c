import { deployment, job, judge, pdb } from './helper';
import { PdbSelectorMatchesNothingOrJobs } from '../../../src/validation/rules/pdb-selector-matches-nothing-or-jobs';

const rule = new PdbSelectorMatchesNothingOrJobs();
const web = deployment('web', {}, { replicas: 2 });

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

  test('passes for workloads with replicas, and for Jobs with a number', () => {
    expect(judge(rule, [web, pdb({ maxUnavailable: 1 })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
    expect(judge(rule, [job('web'), pdb({ minAvailable: 1 })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
  });

  test('does not apply in a namespace without workloads', () => {
    expect(judge(rule, [web, pdb({ maxUnavailable: 1 }, 'web-pdb', { namespace: 'other' })]).outcomes).toEqual([]);
  });
});
