import { writeTypeScript } from '../../../src/conversion';
import { RequirementSpec } from '../../../src/model';
import { NodePoolSpec } from '../../../src/scheduling';
import { changedRequirements, requirementCode } from '../../../src/validation/recommend/construct-code';

const none = { requirements: [] as readonly RequirementSpec[] } as NodePoolSpec;

describe('the code of changed requirements', () => {
  const requirements: RequirementSpec[] = [
    { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Lt', values: ['33'] },
    { key: 'karpenter.k8s.aws/instance-cpu', operator: 'In', values: ['4', '8'] },
    { key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'Lt', values: ['2'] },
    { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['4'] },
    { key: 'karpenter.k8s.aws/instance-category', operator: 'NotIn', values: ['r'] },
    { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m7i', 'm7i-flex', 'c8g'], minValues: 2 },
    { key: 'karpenter.k8s.aws/instance-size', operator: 'In', values: ['large', 'xlarge', '16xlarge'] },
    { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['t3a.medium'] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand', 'spot'] },
    { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] },
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1a'] },
  ];

  test.each(requirements)('is what convert writes: $key $operator', (requirement) => {
    const manifest = {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'general' },
      spec: {
        template: {
          spec: {
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'main' },
            requirements: [requirement],
          },
        },
      },
    };
    const { text } = writeTypeScript([{ path: 'pool.json', text: JSON.stringify(manifest) }]);
    const written = text.replace(/nodes\./g, '').replace(/\s+/g, ' ');
    const [code] = changedRequirements(none, { ...none, requirements: [requirement] }).map(requirementCode);
    expect(written.replace(/\( /g, '(').replace(/, \)/g, ')')).toContain(code);
  });

  test('leaves out requirements that stay', () => {
    const before = { ...none, requirements: requirements.slice(0, 2) };
    const after = { ...none, requirements: requirements.slice(0, 3) };
    expect(changedRequirements(before, after).map(requirementCode)).toEqual([
      'Requirement.instanceGpuCount().lessThan(2)',
    ]);
  });
});
