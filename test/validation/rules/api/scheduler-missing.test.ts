import { schedulerMissing } from '../../../../src/validation/rules/api/scheduler-missing';
import { deployment, judge } from '../judge';

const rule = schedulerMissing;
const web = (schedulerName?: string) => deployment('web', { schedulerName });

describe('KARP-121 scheduler-missing', () => {
  test.each([
    ['defualt-scheduler', 'default-scheduler', 'write schedulerName: default-scheduler, or remove the field'],
    ['Volcano', 'volcano', 'write schedulerName: volcano'],
  ])('reports %s, which is %s misspelt', (name, nearest, remedy) => {
    expect(judge(rule, [web(name)]).findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'schedulerName'],
        message: `names the scheduler ${name}, which looks like ${nearest} misspelt: if no scheduler has this name, its pods stay Pending without an event, and Karpenter launches no node, because it waits for a scheduler to call them unschedulable`,
        remedy,
        evidence: { schedulerName: name, nearest },
      },
    ]);
  });

  test('passes the default scheduler and published ones', () => {
    expect(judge(rule, [web('default-scheduler')]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [web('yunikorn')]).states).toEqual(['pass Deployment/web']);
  });

  test('is not evaluated for an unknown name', () => {
    expect(judge(rule, [web('bin-packer')]).whys).toEqual([
      'whether the cluster runs a scheduler bin-packer is not known',
    ]);
  });

  test('does not apply to pods that name no scheduler', () => {
    expect(judge(rule, [web()]).outcomes).toEqual([]);
  });
});
