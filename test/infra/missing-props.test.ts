import { Stack } from 'aws-cdk-lib';
import { newReference, newStack } from './fixtures';
import {
  ClusterReference,
  ControllerPolicies,
  ControllerRole,
  Karpenter,
  KarpenterChart,
  NodeAdmission,
  NodeRole,
  SystemNodeGroup,
} from '../../src/infra';
import { InterruptionQueue, NodeTerminationHandler, SpotInterruptionExperiment } from '../../src/interruption';

type Constructor = new (scope: Stack, id: string, props: never) => unknown;

test.each<[Constructor, string[]]>([
  [Karpenter, ['cluster']],
  [ControllerRole, ['cluster']],
  [NodeRole, ['cluster']],
  [SystemNodeGroup, ['cluster']],
  [ControllerPolicies, ['cluster', 'role', 'nodeRoles']],
  [NodeAdmission, ['cluster', 'role']],
  [KarpenterChart, ['cluster', 'controllerRole']],
  [ClusterReference, ['clusterName']],
  [InterruptionQueue, ['clusterName']],
  [NodeTerminationHandler, ['clusterName']],
  [SpotInterruptionExperiment, ['clusterName', 'stopAlarms']],
])('%p names each required property that plain JavaScript leaves out', (construct, required) => {
  const lines = required.map((name) => `Stack/It/${name}: must be set, got nothing; write for example .+`);
  expect(() => new construct(newStack(), 'It', {} as never)).toThrow(new RegExp(`^${lines.join('\n')}$`));
});

test('accepts a construct that has every required property', () => {
  const stack = newStack();
  expect(() => new ControllerRole(stack, 'It', { cluster: newReference(stack) })).not.toThrow();
});
