import { ClusterPod, ScenarioReport } from '../../../../src/disruption';
import { Label } from '../../../../src/model';
import { isIn, ofTypes } from '../../../scheduling/builders';
import { anyPool, HOUR, machine, NOW, pod, PROTECTED } from '../../builders';
import { budget, simulated, single, web, WEB, webReport } from '../web-workload';

describe('expiration', () => {
  const expiring = (name: string, hours: number, pods = [web(`web-${name}`)]) => {
    const node = machine(name, 'm5.large', pods);
    return { ...node, claim: { ...node.claim!, createdAt: NOW - HOUR, expireAfter: hours * HOUR } };
  };

  test('drains nodes of one age at once, regardless of disruption budgets', () => {
    const [report] = simulated('expiration', [expiring('a', 2), expiring('b', 2)], {
      disruption: { budgets: [{ nodes: '0' }] },
    });
    expect(report.timeline.slice(0, 4)).toEqual([
      { second: 3600, what: 'a expires' },
      { second: 3600, what: 'a drains' },
      { second: 3600, what: 'b expires' },
      { second: 3600, what: 'b drains' },
    ]);
    expect(webReport(report).lowestReady).toBe(0);
  });

  test('launches nothing before the drain starts', () => {
    const [report] = simulated('expiration', [expiring('a', 2)]);
    expect(report.timeline.map(({ what }) => what.replace(/ \(.*/, ''))).toEqual([
      'a expires',
      'a drains',
      'default-new-0 is launched',
      `${WEB} has no pod ready`,
      'a is terminated',
      'default-new-0 is up',
      `${WEB} has 1 of 1 ready again`,
    ]);
  });

  describe('launches one node', () => {
    const pools = [
      anyPool({ requirements: [ofTypes('m5.large', 'm5.xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')] }),
    ];
    const launches = ({ timeline }: ScenarioReport) =>
      timeline.filter(({ what }) => what.includes('is launched')).map(({ second, what }) => [second, what]);
    const old = (pods: ClusterPod[]) => ({ ...expiring('a', 2, pods), labels: machine('a', 'm5.xlarge').labels });
    const db = (ordinal: number) => ({ ...web(`db-${ordinal}`), owner: { kind: 'StatefulSet', name: 'db' } });

    test('for evicted pods together with pods that a PodDisruptionBudget still blocks', () => {
      const [report] = simulated('expiration', [old([web('x'), web('y')])], { pools, pdbs: [budget()] });
      expect(launches(report)).toEqual([[3600, 'default-new-0 is launched (m5.xlarge, on-demand, us-east-1a)']]);
      expect(report).toMatchObject({ seconds: Math.round(3600 + 82.7 + 20), after: { nodes: 1 } });
      expect(webReport(report)).toMatchObject({ lowestReady: 1, evictions: 2 });
    });

    test('for pods of a StatefulSet that are recreated after their deletion', () => {
      const [report] = simulated('expiration', [old([db(0), db(1)])], { pools });
      expect(launches(report)).toEqual([[3600, 'default-new-0 is launched (m5.xlarge, on-demand, us-east-1a)']]);
      expect(report.seconds).toBe(3600 + 60 + 20 + 20);
    });

    test('without room for a pod that can never be evicted', () => {
      const kept = pod('kept', { cpu: '1500m' }, { annotations: PROTECTED });
      const [report] = simulated('expiration', [old([web('x'), kept])], { pools });
      expect(launches(report)).toEqual([[3600, 'default-new-0 is launched (m5.large, on-demand, us-east-1a)']]);
    });
  });

  test('waits forever for a protected pod', () => {
    const [report] = simulated('expiration', [expiring('a', 2, [web('kept', { annotations: PROTECTED })])]);
    expect(report.stuck).toEqual([
      {
        what: 'node a',
        why: 'pod default/kept has the annotation karpenter.sh/do-not-disrupt',
        remedy: 'set terminationGracePeriod in the NodePool, or set the annotation to a duration instead of true',
      },
    ]);
  });

  test('waits forever for a pod with two PodDisruptionBudgets, regardless of what the budgets allow', () => {
    const [report] = simulated('expiration', [expiring('a', 2)], {
      pdbs: [budget({ maxUnavailable: 1 }), budget({ name: 'all', maxUnavailable: 1 })],
    });
    expect(report.stuck).toEqual([
      {
        what: 'node a',
        why: 'pod default/web-a has 2 PodDisruptionBudgets, default/web and default/all, so it cannot be evicted',
        remedy: 'keep only one PodDisruptionBudget for each pod, or set terminationGracePeriod in the NodePool',
      },
    ]);
  });

  test('returns no report if no node expires', () => {
    expect(simulated('expiration', [single('a')])).toEqual([]);
  });
});
