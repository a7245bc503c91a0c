import { NEWEST_KARPENTER_VERSION } from '../../src/contract';
import { findKind, kindsOf, schemaAt } from '../../src/contract/schema';
import * as nodes from '../../src/nodes';

/** The enum values of a field in the newest CRD of a kind. */
function allowed(apiVersion: string, kind: string, ...path: Array<string | number>): readonly unknown[] {
  const schema = schemaAt(findKind(kindsOf(NEWEST_KARPENTER_VERSION), apiVersion, kind)!.schema, ['spec', ...path]);
  return [...(schema?.enum ?? [])].sort();
}

const inNodeClass = (...path: Array<string | number>) => allowed('karpenter.k8s.aws/v1', 'EC2NodeClass', ...path);
const inNodePool = (...path: Array<string | number>) => allowed('karpenter.sh/v1', 'NodePool', ...path);

test.each<[string, Record<string, string>, readonly unknown[]]>([
  ['AmiFamily', nodes.AmiFamily, inNodeClass('amiFamily')],
  ['VolumeType', nodes.VolumeType, inNodeClass('blockDeviceMappings', 0, 'ebs', 'volumeType')],
  ['InstanceStorePolicy', nodes.InstanceStorePolicy, inNodeClass('instanceStorePolicy')],
  [
    'InstanceMatchCriteria',
    nodes.InstanceMatchCriteria,
    inNodeClass('capacityReservationSelectorTerms', 0, 'instanceMatchCriteria'),
  ],
  ['NetworkInterfaceType', nodes.NetworkInterfaceType, inNodeClass('networkInterfaces', 0, 'interfaceType')],
  ['ConsolidationPolicy', nodes.ConsolidationPolicy, inNodePool('disruption', 'consolidationPolicy')],
  ['DisruptionReason', nodes.DisruptionReason, inNodePool('disruption', 'budgets', 0, 'reasons', 0)],
  ['TaintEffect', nodes.TaintEffect, inNodePool('template', 'spec', 'taints', 0, 'effect')],
])('%s has the values that the CRD allows', (_, values, ofCrd) => {
  expect(Object.values(values).sort()).toEqual(ofCrd);
});
