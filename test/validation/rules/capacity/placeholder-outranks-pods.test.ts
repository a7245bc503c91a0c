import { placeholderOutranksPods } from '../../../../src/validation/rules/capacity/placeholder-outranks-pods';
import { deployment, judge, nodeClass, nodePool, types } from '../judge';

const rule = placeholderOutranksPods;
const priorityClass = (name: string, value: number, fields: object = {}) =>
  JSON.stringify({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, ...fields });
const holdingRoom = deployment('room', {
  priorityClassName: 'room',
  containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }],
});
const web = (priorityClassName?: string) =>
  deployment('web', { priorityClassName, containers: [{ name: 'main', image: 'registry.example/web:1' }] });

describe('KARP-325 placeholder-outranks-pods', () => {
  test.each([
    ['a positive value', 10, []],
    ['the default priority', 0, []],
    ['a negative default of the cluster', -10, [priorityClass('normal', -10, { globalDefault: true })]],
  ])('reports placeholders with %s', (_, value, others) => {
    const { findings } = judge(rule, [priorityClass('room', value), holdingRoom, web(), ...others]);
    expect(findings).toMatchObject([{ object: { kind: 'PriorityClass', name: 'room' }, path: ['value'] }]);
    expect(findings[0].message).toContain(
      `is ${value}: pods of Deployment room, which only hold room, never give way to those of Deployment web`,
    );
  });

  test('writes a value below a negative default of the cluster', () => {
    const standard = priorityClass('normal', -10, { globalDefault: true });
    const { findings } = judge(rule, [priorityClass('room', 0), holdingRoom, web(), standard]);
    expect(findings[0].remedy).toContain('write value: -11;');
  });

  test.each([
    ['a negative value', -10, [web()]],
    ['a negative value above that of batch work', -10, [web('batch'), priorityClass('batch', -100)]],
    ['pods of a higher class', 10, [web('high'), priorityClass('high', 100)]],
    ['pods of a class that is not in the input', 10, [web('high')]],
    ['no other pods', 10, []],
  ])('passes %s', (_, value, others) => {
    expect(judge(rule, [priorityClass('room', value), holdingRoom, ...others]).states).toEqual([
      'pass PriorityClass/room',
    ]);
  });

  test('reports a class of other pods that preempts nothing', () => {
    const queued = priorityClass('queued', 100, { preemptionPolicy: 'Never' });
    const documents = [priorityClass('room', -10), queued, holdingRoom, web('queued')];
    expect(judge(rule, documents).findings).toMatchObject([
      {
        object: { name: 'queued' },
        path: ['preemptionPolicy'],
        message:
          'is Never: pods of this class never take the room that Deployment room holds, which is paid and never used',
      },
    ]);
    expect(judge(rule, [...documents, deployment('api')]).findings).toEqual([]);
  });

  test('reports room on nodes where no other pods can run, and holds it on theirs', () => {
    const gpu = nodePool('gpu', {
      requirements: [types('g5.xlarge')],
      taints: [{ key: 'gpu', effect: 'NoSchedule' }],
    });
    const pools = [nodeClass(), nodePool('default', { requirements: [types('m5.large')] }), gpu];
    const model = (fields: object = {}) =>
      deployment('llm', { tolerations: [{ key: 'gpu', operator: 'Exists' }], ...fields });
    const select = (name: string) => ({ nodeSelector: { 'karpenter.sh/nodepool': name } });
    const { findings } = judge(rule, [...pools, priorityClass('room', -10), holdingRoom, model(select('gpu'))]);
    expect(findings).toMatchObject([
      {
        object: { kind: 'Deployment', name: 'room' },
        message: 'holds room in NodePool default, where Deployment llm cannot run: the room is paid and never used',
        remedy:
          'select nodes with karpenter.sh/nodepool: gpu, and tolerate gpu:NoSchedule: the room then costs a node of that NodePool',
        fix: {
          edits: [
            { path: ['spec', 'template', 'spec', 'nodeSelector'], value: { 'karpenter.sh/nodepool': 'gpu' } },
            { value: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }] },
          ],
        },
      },
    ]);
    for (const other of [model(), model(select('none'))])
      expect(judge(rule, [...pools, priorityClass('room', -10), holdingRoom, other]).findings).toEqual([]);
  });

  test('does not apply to a class of ordinary pods', () => {
    expect(judge(rule, [priorityClass('web', 10), web('web')]).outcomes).toEqual([]);
  });
});
