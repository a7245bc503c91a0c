import { jobDeadlineBeforeNode } from '../../../../src/validation/rules/capacity/deadlines/job-deadline-before-node';
import { cronJob, deployment, job, judge, nodeClass, nodePool } from '../judge';

const rule = jobDeadlineBeforeNode;
const judged = (...documents: string[]) => judge(rule, [nodeClass(), nodePool('default'), ...documents]);

describe('KARP-326 job-deadline-before-node', () => {
  test('reports a CronJob that gets a node of its own', () => {
    const { findings } = judged(cronJob('nightly', '@daily', {}, { activeDeadlineSeconds: 30 }));
    expect(findings).toMatchObject([
      { path: ['spec', 'jobTemplate', 'spec', 'activeDeadlineSeconds'], evidence: { activeDeadlineSeconds: 30 } },
    ]);
    expect(findings[0].message).toContain('NodePool default launches a node for 1 pod, which takes about 60 s');
  });

  test('reports a Job, at its own field', () => {
    const { findings } = judged(job('report', {}, { activeDeadlineSeconds: 80 }));
    expect(findings).toMatchObject([{ path: ['spec', 'activeDeadlineSeconds'] }]);
  });

  test('reports a Job that shares its planned node, but takes much of it', () => {
    const large = {
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '2', memory: '4Gi' } } }],
    };
    const { findings } = judged(job('etl', large, { activeDeadlineSeconds: 45 }), deployment('web'));
    expect(findings[0].message).toContain('launches a node for 1 pod unless another has room for so much, which takes');
  });

  test('passes a longer deadline, a node with other pods, and a test', () => {
    expect(judged(job('report', {}, { activeDeadlineSeconds: 81 })).states).toEqual(['pass Job/report']);
    const short = job('report', {}, { activeDeadlineSeconds: 30 });
    expect(judged(short, deployment('web')).states).toEqual(['pass Job/report']);
    expect(judged(job('smoke', {}, { activeDeadlineSeconds: 30 })).states).toEqual(['pass Job/smoke']);
  });

  test('does not apply without a deadline, and to pods without a node', () => {
    expect(judged(job('report')).outcomes).toEqual([]);
    const elsewhere = job('report', { nodeSelector: { team: 'other' } }, { activeDeadlineSeconds: 30 });
    expect(judged(elsewhere).outcomes).toEqual([]);
  });
});
