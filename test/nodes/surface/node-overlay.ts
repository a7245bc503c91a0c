import { FieldCase } from './field-case';
import * as nodes from '../../../src/nodes';

const { InstanceFamily, PriceAdjustment, Requirement } = nodes;

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
    by: 'LabelRequirement.doesNotExist',
    props: { requirements: [Requirement.instanceGpuName().doesNotExist()] },
    value: 'DoesNotExist',
  },
  {
    field: 'spec.requirements[].values[]',
    prop: 'requirements',
    by: 'InstanceFamilyRequirement.notIn',
    props: { requirements: [Requirement.instanceFamily().notIn(InstanceFamily.M5)] },
    value: 'm5',
    misuse: { requirements: [Requirement.instanceFamily().notIn()] },
    misusedField: 'spec.requirements[].values',
  },
  { field: 'spec.price', prop: 'price', props: { price: 0.25 }, value: '0.25', misuse: { price: -0.25 } },
  {
    field: 'spec.priceAdjustment',
    prop: 'priceAdjustment',
    by: 'PriceAdjustment.percent',
    props: { priceAdjustment: PriceAdjustment.percent(-15) },
    value: '-15%',
    misuse: { priceAdjustment: PriceAdjustment.percent(-101) },
  },
  {
    field: 'spec.priceAdjustment',
    prop: 'priceAdjustment',
    by: 'PriceAdjustment.amount',
    props: { priceAdjustment: PriceAdjustment.amount(0.01) },
    value: '+0.01',
    misuse: { priceAdjustment: PriceAdjustment.amount(NaN) },
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
