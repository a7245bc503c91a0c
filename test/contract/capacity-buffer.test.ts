import { checkCapacityBufferSpec, FieldProblem, formatFieldPath } from '../../src/contract';

const summary = (problems: FieldProblem[]) => problems.map((p) => `${p.consequence} ${formatFieldPath(p.path)}`);
const scalableRef = { kind: 'Deployment', name: 'web' };
const podTemplateRef = { name: 'web' };

describe('CapacityBuffer spec', () => {
  test.each([
    ['a workload, whose group is apps by default', { scalableRef, replicas: 0 }],
    ['a template and limits', { podTemplateRef, limits: { cpu: 4 } }],
    ['a number and a percentage', { scalableRef: { ...scalableRef, apiGroup: 'apps' }, replicas: 1, percentage: 10 }],
  ])('is accepted with %s', (_, spec) => {
    expect(checkCapacityBufferSpec(spec)).toEqual([]);
  });

  test.each([
    ['no spec', undefined, ['rejected spec']],
    ['neither workload nor template', { replicas: 1 }, ['not-ready spec.scalableRef']],
    ['a template without a name', { podTemplateRef: {}, replicas: 1 }, ['rejected spec.podTemplateRef.name']],
    [
      'a workload without kind and name',
      { scalableRef: {}, replicas: 1 },
      ['rejected spec.scalableRef.kind', 'rejected spec.scalableRef.name'],
    ],
    [
      'a workload that has no replicas',
      { scalableRef: { kind: 'DaemonSet', name: 'a' }, replicas: 1 },
      ['not-ready spec.scalableRef.kind'],
    ],
    [
      'a group with its version',
      { scalableRef: { ...scalableRef, apiGroup: 'apps/v1' }, replicas: 1 },
      ['not-ready spec.scalableRef.apiGroup'],
    ],
    ['both references', { scalableRef, podTemplateRef, replicas: 1 }, ['rejected spec.scalableRef']],
    ['a template and no size', { podTemplateRef }, ['rejected spec.replicas']],
    ['a template and a percentage', { podTemplateRef, percentage: 1, replicas: 1 }, ['misread spec.percentage']],
    ['a workload and no size', { scalableRef }, ['misread spec.replicas']],
    ['limits that are not quantities', { scalableRef, limits: { cpu: '4 cores' } }, ['rejected spec.limits.cpu']],
    ['limits below 0', { scalableRef, limits: { cpu: '-4' } }, ['misread spec.limits.cpu']],
    [
      'a strategy that is a number',
      { scalableRef, replicas: 1, provisioningStrategy: 1 },
      ['rejected spec.provisioningStrategy'],
    ],
  ])('is invalid with %s', (_, spec, expected) => {
    expect(summary(checkCapacityBufferSpec(spec))).toEqual(expected);
  });
});
