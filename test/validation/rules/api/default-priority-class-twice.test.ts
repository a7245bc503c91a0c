import { defaultPriorityClassTwice } from '../../../../src/validation/rules/api/default-priority-class-twice';
import { judge } from '../judge';

const rule = defaultPriorityClassTwice;
const priorityClass = (name: string, globalDefault?: boolean) =>
  JSON.stringify({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value: 1000,
    globalDefault,
  });

describe('KARP-122 default-priority-class-twice', () => {
  test('reports the second default once, with the name of the first', () => {
    const { findings } = judge(rule, [priorityClass('web', true), priorityClass('batch', true)]);
    expect(findings).toMatchObject([
      {
        path: ['globalDefault'],
        message:
          'is the global default like PriorityClass web: the API server refuses the second one that is created, and pods may get another priority than meant',
        evidence: { globalDefaults: ['web', 'batch'] },
      },
    ]);
    expect(findings[0].object.name).toBe('batch');
  });

  test('passes one default', () => {
    expect(judge(rule, [priorityClass('web', true), priorityClass('batch')]).states).toEqual([
      'pass PriorityClass/web',
    ]);
  });

  test('does not apply to classes that are no default', () => {
    expect(judge(rule, [priorityClass('web'), priorityClass('batch', false)]).outcomes).toEqual([]);
  });
});
