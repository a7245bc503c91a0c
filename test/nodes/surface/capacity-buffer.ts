import { FieldCase } from './field-case';
import { limitCases } from './limits';
import * as nodes from '../../../src/nodes';

const { ProvisioningStrategy, ScalableRef } = nodes;

const ofTemplate = { scalableRef: undefined, podTemplateName: 'web' };

export const CAPACITY_BUFFER_NEEDS: nodes.CapacityBufferProps = { scalableRef: ScalableRef.deployment('web'), replicas: 1 };

export const CAPACITY_BUFFER_CASES: ReadonlyArray<FieldCase<nodes.CapacityBufferProps>> = [
  ...Object.entries({ apiGroup: 'apps', kind: 'StatefulSet', name: 'db' }).map(([part, value]): FieldCase<nodes.CapacityBufferProps> => ({
    field: `spec.scalableRef.${part}`,
    prop: 'scalableRef',
    by: 'ScalableRef.statefulSet',
    props: { scalableRef: ScalableRef.statefulSet('db') },
    value,
    ...(part === 'name' && { misuse: { scalableRef: ScalableRef.statefulSet('') } }),
  })),
  {
    field: 'spec.podTemplateRef.name',
    prop: 'podTemplateName',
    props: ofTemplate,
    value: 'web',
    misuse: { ...ofTemplate, podTemplateName: '' },
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
