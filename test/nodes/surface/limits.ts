import { Size } from 'cdk8s';
import { FieldCase } from './field-case';
import * as nodes from '../../../src/nodes';

/** Field cases for the `limits` of a kind. */
export function limitCases<Props>(toProps: (limits: nodes.NodePoolLimits) => Partial<Props>): Array<FieldCase<Props>> {
  return [
    {
      field: 'spec.limits',
      prop: 'limits.cpu',
      props: toProps({ cpu: 0.5 }),
      value: { cpu: '0.5' },
      misuse: toProps({ cpu: -1 }),
      misusedField: 'spec.limits.cpu',
    },
    {
      field: 'spec.limits',
      prop: 'limits.memory',
      props: toProps({ memory: Size.gibibytes(1000) }),
      value: { memory: '1000Gi' },
    },
    {
      field: 'spec.limits',
      prop: 'limits.other',
      props: toProps({ other: { 'nvidia.com/gpu': '8' } }),
      value: { 'nvidia.com/gpu': '8' },
      misuse: toProps({ other: { gpu: 'eight' } }),
      misusedField: 'spec.limits.gpu',
    },
  ];
}
