import { MAX_PODS } from '../../../../src/scheduling';
import { podsBeyondBound } from '../../../../src/validation/rules/capacity/pods-beyond-bound';
import { deployment, judge, nodeClass, nodePool } from '../judge';

const rule = podsBeyondBound;

describe('KARP-320 pods-beyond-bound', () => {
  test('reports a workload with more pods than one check schedules', () => {
    const documents = [
      nodeClass(),
      nodePool('default', {}),
      deployment('web', {}, { replicas: 250_000 }),
      deployment('api', {}, { replicas: 2 }),
    ];
    const {
      states,
      findings: [{ message, evidence }],
    } = judge(rule, documents);
    expect(states).toEqual(['fail Deployment/web']);
    expect(message).toBe(
      '250000 of its pods are not evaluated, because one check schedules at most 200000 pods of all workloads together',
    );
    expect(evidence).toEqual({ pods: 250_000, maxPods: MAX_PODS });
  });

  test('says nothing if all pods are scheduled', () => {
    expect(judge(rule, [nodeClass(), nodePool('default', {}), deployment('web', {}, { replicas: 2 })]).states).toEqual(
      [],
    );
  });
});
