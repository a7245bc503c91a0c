import { tolerationOfAllTenants } from '../../../../src/validation/rules/instance-selection/toleration-of-all-tenants';
import { daemonSet, deployment, judge, nodeClass, nodePool } from '../judge';

const rule = tolerationOfAllTenants;
const pool = (tenant: string) =>
  nodePool(`team-${tenant}`, {
    labels: { team: tenant },
    taints: [{ key: 'team', value: tenant, effect: 'NoSchedule' }],
  });
const toleration = (value?: string) => ({ key: 'team', operator: value === undefined ? 'Exists' : 'Equal', value });
const pods = (namespace: string, value?: string, fields: object = {}) =>
  deployment('api', { tolerations: [toleration(value)], ...fields }, { namespace });
const SETUP = [nodeClass(), pool('blue'), pool('green')];
const states = (...documents: string[]) => judge(rule, [...SETUP, ...documents]).states;

describe('KARP-269 toleration-of-all-tenants', () => {
  test('reports pods that may run on nodes of another tenant, with the value of their own', () => {
    const { findings } = judge(rule, [...SETUP, pods('team-blue', 'blue'), pods('team-green')]);
    expect(findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'tolerations', 0],
        remedy: 'write operator: Equal and value: green, and nodeSelector team: green',
        evidence: { key: 'team', value: 'green', others: ['blue'] },
      },
    ]);
    expect(findings[0].message).toContain('may also run on nodes of NodePool team-blue, which are kept for team: blue');
    expect(findings[0].fix?.edits).toHaveLength(3);
  });

  test('does not apply if the pods choose their nodes, or if nothing says whose pods they are', () => {
    const blue = pods('team-blue', 'blue');
    expect(states(blue, pods('team-green', undefined, { nodeSelector: { team: 'green' } }))).toEqual([]);
    expect(states(blue, pods('monitoring'))).toEqual([]);
    expect(states(blue, pods('team-green', 'green'))).toEqual([]);
    expect(states(blue, daemonSet('agent', {}, { tolerations: [toleration()] }))).toEqual([]);
  });

  test('does not apply without another tenant', () => {
    expect(states(pods('team-green'))).toEqual([]);
    expect(judge(rule, [nodeClass(), pool('green'), pods('team-green')]).outcomes).toEqual([]);
  });
});
