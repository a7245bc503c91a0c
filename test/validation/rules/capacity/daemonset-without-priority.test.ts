import { daemonsetWithoutPriority } from '../../../../src/validation/rules/capacity/daemonset-without-priority';
import { daemonSet, deployment, judge, manifest, nodeClass, nodePool, types } from '../judge';

const rule = daemonsetWithoutPriority;
const POOL = [nodeClass(), nodePool('ci', { requirements: [types('m7i.large')] })];
const runner = (cpu: string, replicas = 30) => deployment('runner', {}, { replicas, requests: { cpu, memory: '1Gi' } });
const agent = (pod: object = {}) => daemonSet('log-agent', { cpu: '300m', memory: '512Mi' }, pod);

describe('KARP-303 daemonset-without-priority', () => {
  test('reports a DaemonSet whose room one more pod of a workload can take', () => {
    expect(judge(rule, [...POOL, runner('450m'), agent()]).findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'priorityClassName'],
        evidence: { daemonSet: 'default/log-agent', workload: 'default/runner', instanceType: 'm7i.large' },
      },
    ]);
  });

  test('offers a class as an edit, unless the pod has a number as its priority', () => {
    const fixesOf = (pod: object) => judge(rule, [...POOL, runner('450m'), agent(pod)]).findings.map(({ fix }) => fix);
    expect(fixesOf({})).toMatchObject([{ safe: false, edits: [{ value: 'system-node-critical' }] }]);
    expect(fixesOf({ priority: 0 })).toEqual([undefined]);
  });

  test.each<[string, string[]]>([
    ['with a priority class', [runner('450m'), agent({ priorityClassName: 'system-node-critical' })]],
    ['if one more pod does not fit in its room either', [runner('1100m'), agent()]],
    ['if all pods have one node', [runner('450m', 3), agent()]],
    ['without pods of workloads', [agent()]],
    ['that does not run on these nodes', [runner('450m'), agent({ nodeSelector: { 'kubernetes.io/arch': 'arm64' } })]],
  ])('passes a DaemonSet %s', (_, documents) => {
    expect(judge(rule, [...POOL, ...documents]).states).toEqual(['pass DaemonSet/log-agent']);
  });

  test('does not apply if a PriorityClass is the default of all pods, nor to other workloads', () => {
    const byDefault = JSON.stringify({
      ...JSON.parse(manifest('scheduling.k8s.io/v1', 'PriorityClass', 'usual', {})),
      globalDefault: true,
      value: 10,
    });
    expect(judge(rule, [...POOL, runner('450m'), agent(), byDefault]).outcomes).toEqual([]);
    expect(judge(rule, [...POOL, runner('450m')]).outcomes).toEqual([]);
  });
});
