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

  const affinity = (...matchExpressions: object[]) => ({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
    },
  });
  const IN_A_GROUP = { key: 'eks.amazonaws.com/nodegroup', operator: 'Exists' };
  const everywhere = { tolerations: [{ operator: 'Exists' }] };

  test('reports an agent that requires a label which only nodes of node groups have', () => {
    const restricted = (pod: object) => judge(rule, [...POOLS, deployment('web'), db, logs({ ...everywhere, ...pod })]);
    expect(restricted(affinity(IN_A_GROUP)).findings).toMatchObject([
      {
        message:
          'requires the label eks.amazonaws.com/nodegroup, which Karpenter gives to no node, and so does not run on the 2 nodes of NodePool default and data: what fluent-bit collects is missing for the pods there',
        remedy: 'remove eks.amazonaws.com/nodegroup from its node affinity',
        fix: { edits: [{ path: ['spec', 'template', 'spec', 'affinity', 'nodeAffinity', expect.anything()] }] },
      },
    ]);
    const selector = { nodeSelector: { 'eks.amazonaws.com/compute-type': 'ec2' } };
    expect(restricted(selector).findings).toMatchObject([
      { fix: { edits: [{ path: ['spec', 'template', 'spec', 'nodeSelector', 'eks.amazonaws.com/compute-type'] }] } },
    ]);
  });

  test('passes over agents that choose some nodes, and nodes where another DaemonSet of the agent runs', () => {
    const outcomes = (...sets: string[]) => judge(rule, [...POOLS, deployment('web'), db, ...sets]).findings;
    const chosen = { key: 'eks.amazonaws.com/nodegroup', operator: 'In', values: ['system'] };
    const notFargate = { key: 'eks.amazonaws.com/compute-type', operator: 'NotIn', values: ['fargate'] };
    expect(outcomes(logs({ ...everywhere, ...affinity(chosen) }))).toEqual([]);
    expect(outcomes(logs({ ...everywhere, ...affinity(notFargate) }))).toEqual([]);
    expect(outcomes(logs({ ...everywhere, nodeSelector: { 'eks.amazonaws.com/compute-type': 'auto' } }))).toEqual([]);
    const other = agent('logs-karpenter', 'fluent/fluent-bit:3.1', everywhere);
    expect(outcomes(logs({ ...everywhere, ...affinity(IN_A_GROUP) }), other)).toEqual([]);
  });
});
