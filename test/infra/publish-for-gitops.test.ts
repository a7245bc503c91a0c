import { Template } from 'aws-cdk-lib/assertions';
import { newReference, newStack, resourcesOf } from './fixtures';
import { GitOpsValuesOptions, InterruptionHandling, Karpenter, KarpenterProps } from '../../src/infra';

const NAMES = [
  'ClusterName',
  'ControllerPolicyArns',
  'ControllerRoleArn',
  'CrdHelmValues',
  'HelmValues',
  'InterruptionQueueName',
  'KarpenterVersion',
  'NodeRoleName',
];

function publish(options?: GitOpsValuesOptions, props: Partial<KarpenterProps> = {}) {
  const stack = newStack();
  new Karpenter(stack, 'Karpenter', { cluster: newReference(stack), ...props }).publishForGitOps(options);
  const outputs = Object.keys(Template.fromStack(stack).findOutputs('*'));
  const parameters = Object.values(resourcesOf(stack, 'AWS::SSM::Parameter')).map(({ Properties }) => Properties);
  return { outputs: outputs.map((id) => /^Karpenter(.+)$/.exec(id)?.[1]).sort(), parameters };
}

describe('publishForGitOps', () => {
  test('writes outputs, and no parameters unless they are requested', () =>
    expect(publish()).toEqual({ outputs: NAMES, parameters: [] }));

  test('writes parameters below the path, without outputs if they are switched off', () => {
    const { outputs, parameters } = publish({ outputs: false, parameterPath: '/shop/karpenter' });
    expect(outputs).toEqual([]);
    expect(parameters.map(({ Name }) => Name).sort()).toEqual(NAMES.map((name) => `/shop/karpenter/${name}`));
    expect(parameters).toContainEqual(expect.objectContaining({ Name: '/shop/karpenter/ClusterName', Value: 'shop' }));
  });

  test('leaves out a queue that does not exist, and adds the instance profile of an isolated VPC', () => {
    const interruptionHandling = InterruptionHandling.none();
    const { outputs } = publish({}, { interruptionHandling, isolatedVpc: true });
    expect(outputs).toContain('InstanceProfileName');
    expect(outputs).not.toContain('InterruptionQueueName');
  });

  test('refuses a path without a slash', () =>
    expect(() => publish({ parameterPath: 'shop' })).toThrow(
      'Stack/Karpenter/Values/parameterPath: must begin with a slash and have letters, digits, dots, hyphens and underscores between slashes, ' +
        'got "shop"; write for example /shop/karpenter',
    ));
});
