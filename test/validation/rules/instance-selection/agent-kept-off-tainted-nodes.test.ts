import { agentKeptOffTaintedNodes } from '../../../../src/validation/rules/instance-selection/agent-kept-off-tainted-nodes';
import { daemonSet, deployment, judge, nodeClass, nodePool } from '../judge';

const rule = agentKeptOffTaintedNodes;
const TAINT = { key: 'team', value: 'data', effect: 'NoSchedule' };
const TOLERATION = { key: 'team', operator: 'Equal', value: 'data', effect: 'NoSchedule' };
const POOLS = [nodeClass(), nodePool('default'), nodePool('data', { taints: [TAINT] })];
const db = deployment('db', { tolerations: [TOLERATION], nodeSelector: { 'karpenter.sh/nodepool': 'data' } });
const agent = (name: string, image: string, pod: object = {}) =>
  daemonSet(name, {}, { containers: [{ name: 'main', image, resources: { requests: { cpu: '50m' } } }], ...pod });
const logs = (pod: object = {}) => agent('logs', 'registry.example.com/fluent-bit:3.1', pod);
const states = (...documents: string[]) => judge(rule, [...POOLS, deployment('web'), db, ...documents]).states;

describe('KARP-276 agent-kept-off-tainted-nodes', () => {
  test('reports an agent that does not tolerate the taint of planned nodes', () => {
    const { findings } = judge(rule, [...POOLS, deployment('web'), db, logs()]);
    expect(findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'tolerations'],
        message:
          'does not tolerate team=data:NoSchedule, and so does not run on the 1 node of NodePool data: what fluent-bit collects is missing for the pods there',
        fix: { edits: [{ value: { operator: 'Exists' } }] },
      },
    ]);
  });

  test('passes an agent that tolerates the taint, and two DaemonSets of one agent', () => {
    expect(states(logs({ tolerations: [{ operator: 'Exists' }] }))).toEqual(['pass DaemonSet/logs']);
    const other = agent('logs-data', 'fluent/fluent-bit:3.1', { tolerations: [TOLERATION] });
    expect(states(logs(), other)).toEqual(['pass DaemonSet/logs', 'pass DaemonSet/logs-data']);
  });

  test('does not apply to other DaemonSets, and to nodes that nobody plans', () => {
    expect(states(agent('cache', 'registry.example.com/image-cache:1'))).toEqual([]);
    expect(judge(rule, [...POOLS, deployment('web'), logs()]).states).toEqual(['pass DaemonSet/logs']);
    expect(judge(rule, [...POOLS, db, logs()]).outcomes).toEqual([]);
  });
});
