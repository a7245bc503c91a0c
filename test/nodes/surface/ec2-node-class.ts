import { blockDeviceCases } from './block-device';
import { FieldCase } from './field-case';
import { kubeletCases } from './kubelet';
import { networkCases } from './network';
import { selectorCases } from './selector';
import * as nodes from '../../../src/nodes';

type Case = FieldCase<nodes.EC2NodeClassProps>;

const onOwnImages = { amiSelectorTerms: [nodes.AmiSelectorTerm.byId('ami-0123456789abcdef1')] };

export const EC2_NODE_CLASS_CASES: readonly Case[] = [
  ...selectorCases(),
  {
    field: 'spec.amiFamily',
    prop: 'amiFamily',
    props: { ...onOwnImages, amiFamily: nodes.AmiFamily.BOTTLEROCKET },
    value: 'Bottlerocket',
    misuse: onOwnImages,
  },
  {
    field: 'spec.role',
    prop: 'identity',
    by: 'NodeIdentity.role',
    props: { identity: nodes.NodeIdentity.role('nodes') },
    misuseAtCall: () => nodes.NodeIdentity.role(''),
    value: 'nodes',
  },
  {
    field: 'spec.instanceProfile',
    prop: 'identity',
    by: 'NodeIdentity.instanceProfile',
    props: { identity: nodes.NodeIdentity.instanceProfile('nodes') },
    misuseAtCall: () => nodes.NodeIdentity.instanceProfile(''),
    value: 'nodes',
  },
  ...networkCases(),
  ...blockDeviceCases(),
  {
    field: 'spec.instanceStorePolicy',
    prop: 'instanceStorePolicy',
    props: { instanceStorePolicy: nodes.InstanceStorePolicy.RAID0 },
    value: 'RAID0',
  },
  ...metadataCases(),
  ...kubeletCases(),
  {
    field: 'spec.tags',
    prop: 'tags',
    props: { tags: { team: 'a' } },
    value: { team: 'a' },
    misuse: { tags: { '': 'a' } },
    misusedField: 'spec.tags',
  },
  { field: 'spec.detailedMonitoring', prop: 'detailedMonitoring', props: { detailedMonitoring: true }, value: true },
  {
    field: 'spec.cpuOptions.nestedVirtualization',
    prop: 'nestedVirtualization',
    props: { nestedVirtualization: true },
    value: 'enabled',
  },
  { field: 'spec.enclaveOptions.enabled', prop: 'nitroEnclaves', props: { nitroEnclaves: true }, value: true },
  {
    field: 'spec.userData',
    prop: 'userData',
    by: 'UserData.raw',
    props: { userData: nodes.UserData.raw('#!/bin/bash') },
    misuseAtCall: () => nodes.UserData.shellScript(),
    value: '#!/bin/bash',
  },
  ...nodeConfigCases(),
  { field: 'spec.context', prop: 'context', props: { context: 'context-1' }, value: 'context-1' },
];

function metadataCases(): Case[] {
  const option = (
    field: string,
    options: nodes.MetadataOptions,
    value: unknown,
    misuse?: nodes.MetadataOptions,
  ): Case => ({
    field: `spec.metadataOptions.${field}`,
    prop: `metadataOptions.${Object.keys(options)[0]}`,
    props: { metadataOptions: options },
    value,
    misuse: misuse && { metadataOptions: misuse },
  });
  return [
    option('httpEndpoint', { httpEndpointEnabled: false }, 'disabled'),
    option('httpProtocolIPv6', { httpProtocolIpv6Enabled: true }, 'enabled'),
    option('httpPutResponseHopLimit', { httpPutResponseHopLimit: 64 }, 64, { httpPutResponseHopLimit: 65 }),
    option('httpTokens', { httpTokensRequired: false }, 'optional'),
  ];
}

function nodeConfigCases(): Array<FieldCase<nodes.EC2NodeClassProps>> {
  const options: Array<[property: string, options: nodes.NodeConfigOptions]> = [
    ['kubeletConfig', { kubeletConfig: { registryPullQPS: nodes.KubeletSetting.number(20) } }],
    ['kubeletFlags', { kubeletFlags: ['--v=4'] }],
    ['containerdConfig', { containerdConfig: 'version = 3' }],
    ['featureGates', { featureGates: { FastImagePull: true } }],
  ];
  return options.map(([property, given]) => {
    const userData = nodes.UserData.nodeConfig(given);
    const by = `NodeConfigOptions.${property}`;
    return { field: 'spec.userData', prop: 'userData', by, props: { userData }, value: userData.content };
  });
}
