import { priorityClassMissing } from '../../../../src/validation/rules/api/priority-class-missing';
import { dump, object } from '../../cluster/dump';
import { deployment, judge } from '../judge';

const rule = priorityClassMissing;
const web = (priorityClassName?: string) => deployment('web', { priorityClassName });
const priorityClass = (name: string) =>
  JSON.stringify({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: 1000 });

describe('KARP-117 priority-class-missing', () => {
  test.each([
    ['a class of the input', [priorityClass('critical'), web('critical')]],
    ['a class of every cluster', [web('system-cluster-critical')]],
  ])('passes %s', (_, documents) => {
    expect(judge(rule, documents).states).toEqual(['pass Deployment/web']);
  });

  test('does not apply to pods without a priority class', () => {
    expect(judge(rule, [web()]).outcomes).toEqual([]);
  });

  test.each([
    ['critcal', [priorityClass('critical')], 'critical'],
    ['system-cluster-critcal', [], 'system-cluster-critical'],
  ])('reports the misspelt class %s, with the nearest one', (name, classes, nearest) => {
    const [finding] = judge(rule, [...classes, web(name)]).findings;
    expect(finding.severity).toBeUndefined();
    expect(finding.message).toBe(
      `names PriorityClass ${name}, which is not in the input (it has ${nearest}): the API server refuses its pods ("no PriorityClass with name ${name} was found")`,
    );
    expect(finding.remedy).toBe(`write ${nearest} instead of ${name}`);
  });

  test('notes a class that the cluster may have', () => {
    const [finding] = judge(rule, [web('batch')]).findings;
    expect(finding.severity).toBe('info');
    expect(finding.message).toContain('if the cluster does not have it either, the API server refuses its pods');
  });

  test('reports a class that a dump of the cluster with PriorityClasses does not have', () => {
    const cluster = dump(object('scheduling.k8s.io/v1', 'PriorityClass', 'other', { value: 1 }));
    expect(judge(rule, [web('batch')], { cluster }).findings[0].severity).toBeUndefined();
    expect(judge(rule, [web('other')], { cluster }).states).toEqual(['pass Deployment/web']);
  });

  test('is not evaluated if the class is known only at deployment', () => {
    expect(judge(rule, [web('${Token[Class.1]}')]).states).toEqual(['not-evaluated Deployment/web']);
  });
});
