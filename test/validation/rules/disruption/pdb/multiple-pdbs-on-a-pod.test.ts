import { multiplePdbsOnAPod } from '../../../../../src/validation/rules/disruption/pdb/multiple-pdbs-on-a-pod';
import { deployment, judge, pdb } from '../../judge';

const rule = multiplePdbsOnAPod;
const web = deployment('web', {}, { replicas: 2 });
const team = (metadata: object = {}) => pdb({ selector: {}, maxUnavailable: 1 }, 'team', metadata);

describe('KARP-411 multiple-pdbs-on-a-pod', () => {
  test('reports pods that two budgets select, at the budget that is less like the workload', () => {
    const { states, findings } = judge(rule, [web, team(), pdb({ maxUnavailable: '100%' })]);
    expect(states).toEqual(['fail PodDisruptionBudget/team']);
    expect(findings[0].message).toContain(
      'selects the pods of Deployment web, which PodDisruptionBudget web-pdb selects',
    );
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.selector');
    const names = (...pdbs: string[]) => judge(rule, [web, ...pdbs]).findings.map(({ object }) => object.name);
    expect(names(pdb({}, 'web-chart'), pdb({}, 'web'))).toEqual(['web-chart']);
    expect(names(pdb({}, 'web'), pdb({}, 'web-chart'))).toEqual(['web-chart']);
    expect(names(pdb({}, 'one'), pdb({}, 'two'), pdb({}, 'three'))).toEqual(['three']);
  });

  test('passes pods that one budget selects', () => {
    expect(judge(rule, [web, pdb({ maxUnavailable: 1 }), team({ namespace: 'other' })]).states).toEqual([
      'pass Deployment/web',
    ]);
  });

  test('does not apply without a budget', () => {
    expect(judge(rule, [web, pdb({ selector: undefined, maxUnavailable: 1 })]).outcomes).toEqual([]);
  });

  test('reports a budget that overlaps with those of several workloads once, at the budget', () => {
    const api = deployment('api', {}, { replicas: 2 });
    const ofApi = pdb({ selector: { matchLabels: { app: 'api' } }, maxUnavailable: 1 }, 'api');
    const { findings } = judge(rule, [web, api, pdb({ maxUnavailable: 1 }), ofApi, team()]);
    expect(findings).toMatchObject([
      {
        object: { kind: 'PodDisruptionBudget', name: 'team' },
        path: ['spec', 'selector'],
        evidence: { workloads: ['Deployment api', 'Deployment web'] },
      },
    ]);
  });
});
