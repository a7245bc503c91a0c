import { FieldCase } from './field-case';
import * as nodes from '../../../src/nodes';

const { InstanceFamily, OverlayPrice, Requirement } = nodes;

export const NODE_OVERLAY_CASES: ReadonlyArray<FieldCase<nodes.NodeOverlayProps>> = [
  {
    field: 'spec.requirements[].key',
    prop: 'requirements',
    by: 'Requirement.instanceFamily',
    props: { requirements: [Requirement.instanceFamily().exists()] },
    value: 'karpenter.k8s.aws/instance-family',
    misuse: { requirements: [Requirement.tenancy().exists()] },
  },
  {
    field: 'spec.requirements[].operator',
    prop: 'requirements',
    by: 'NodeLabel.doesNotExist',
    props: { requirements: [Requirement.instanceGpuName().doesNotExist()] },
    value: 'DoesNotExist',
  },
  {
    field: 'spec.requirements[].values[]',
    prop: 'requirements',
    by: 'InstanceFamilyLabel.notIn',
    props: { requirements: [Requirement.instanceFamily().notIn(InstanceFamily.M5)] },
    value: 'm5',
    misuse: { requirements: [Requirement.instanceFamily().notIn()] },
    misusedField: 'spec.requirements[].values',
  },
  {
    field: 'spec.price',
    prop: 'price',
    by: 'OverlayPrice.fixed',
    props: { price: OverlayPrice.fixed(0.25) },
    value: '0.25',
    misuse: { price: OverlayPrice.fixed(-0.25) },
  },
  {
    field: 'spec.priceAdjustment',
    prop: 'price',
    by: 'OverlayPrice.adjustedByPercent',
    props: { price: OverlayPrice.adjustedByPercent(-15) },
    value: '-15%',
    misuse: { price: OverlayPrice.adjustedByPercent(-101) },
  },
  {
    field: 'spec.priceAdjustment',
    prop: 'price',
    by: 'OverlayPrice.adjustedBy',
    props: { price: OverlayPrice.adjustedBy(0.01) },
    value: '+0.01',
    misuse: { price: OverlayPrice.adjustedBy(NaN) },
  },
  {
    field: 'spec.capacity',
    prop: 'capacity',
    props: { capacity: { 'example.com/dongle': '2' } },
    value: { 'example.com/dongle': '2' },
    misuse: { capacity: { dongle: 'two' } },
    misusedField: 'spec.capacity.dongle',
  },
  { field: 'spec.weight', prop: 'weight', props: { weight: 10_000 }, value: 10_000, misuse: { weight: 10_001 } },
];
