import { FieldCase } from './field-case';
import { limitCases } from './limits';
import * as nodes from '../../../src/nodes';

const { BufferedPods, ProvisioningStrategy } = nodes;

export const CAPACITY_BUFFER_NEEDS: nodes.CapacityBufferProps = { pods: BufferedPods.deployment('web'), replicas: 1 };

export const CAPACITY_BUFFER_CASES: ReadonlyArray<FieldCase<nodes.CapacityBufferProps>> = [
  ...Object.entries({ apiGroup: 'apps', kind: 'StatefulSet', name: 'db' }).map(
    ([part, value]): FieldCase<nodes.CapacityBufferProps> => ({
      field: `spec.scalableRef.${part}`,
      prop: 'pods',
      by: 'BufferedPods.statefulSet',
      props: { pods: BufferedPods.statefulSet('db') },
      value,
      ...(part === 'name' && { misuse: { pods: BufferedPods.statefulSet('') } }),
    }),
  ),
  {
    field: 'spec.podTemplateRef.name',
    prop: 'pods',
    by: 'BufferedPods.podTemplate',
    props: { pods: BufferedPods.podTemplate('web') },
    value: 'web',
    misuse: { pods: BufferedPods.podTemplate('') },
  },
  { field: 'spec.replicas', prop: 'replicas', props: { replicas: 2 }, value: 2, misuse: { replicas: -1 } },
  { field: 'spec.percentage', prop: 'percentage', props: { percentage: 20 }, value: 20, misuse: { percentage: 0.5 } },
  ...limitCases<nodes.CapacityBufferProps>((limits) => ({ limits })),
  {
    field: 'spec.provisioningStrategy',
    prop: 'provisioningStrategy',
    props: { provisioningStrategy: ProvisioningStrategy.of('example.com/standby') },
    value: 'example.com/standby',
  },
];
