import { Duration } from 'cdk8s';
import { FieldCase } from './field-case';
import * as nodes from '../../../src/nodes';

type Case = FieldCase<nodes.EC2NodeClassProps>;

const { KubeletSetting, MaxPods } = nodes;
const evictionSoft = { 'memory.available': '10%' };
const evictionSoftGracePeriod = { 'memory.available': Duration.minutes(2) };

/**
 * For the API server, `spec.kubelet` is a free map. The cases cover the fields that Karpenter reads, and `other` for
 * all further fields.
 */
export function kubeletCases(): Case[] {
  return [
    setting('clusterDNS', { clusterDns: ['10.100.0.10'] }, ['10.100.0.10']),
    {
      ...setting('maxPods', { maxPods: MaxPods.count(110) }, 110, undefined, '', 'MaxPods.count'),
      misuseAtCall: () => MaxPods.count(-1),
    },
    setting(
      'maxPods',
      { maxPods: MaxPods.expression('vcpus * 10') },
      'vcpus * 10',
      undefined,
      '',
      'MaxPods.expression',
    ),
    setting('podsPerCore', { podsPerCore: 10 }, 10, { podsPerCore: 0.5 }),
    setting(
      'systemReserved',
      { systemReserved: { cpu: '100m' } },
      { cpu: '100m' },
      { systemReserved: { cpu: '-1' } },
      '.cpu',
    ),
    setting(
      'kubeReserved',
      { kubeReserved: { memory: '1Gi' } },
      { memory: '1Gi' },
      { kubeReserved: { pods: '1' } },
      '.pods',
    ),
    setting(
      'evictionHard',
      { evictionHard: { 'pid.available': '5%' } },
      { 'pid.available': '5%' },
      { evictionHard: { memory: '5%' } },
      '.memory',
    ),
    setting(
      'evictionSoft',
      { evictionSoft, evictionSoftGracePeriod },
      evictionSoft,
      { evictionSoft },
      '["memory.available"]',
    ),
    setting(
      'evictionSoftGracePeriod',
      { evictionSoftGracePeriod, evictionSoft },
      { 'memory.available': '2m' },
      { evictionSoftGracePeriod },
      '["memory.available"]',
    ),
    setting('evictionMaxPodGracePeriod', { evictionMaxPodGracePeriod: Duration.minutes(1) }, 60, {
      evictionMaxPodGracePeriod: Duration.millis(1500),
    }),
    setting('imageGCHighThresholdPercent', { imageGcHighThresholdPercent: 85 }, 85, {
      imageGcHighThresholdPercent: 101,
    }),
    setting('imageGCLowThresholdPercent', { imageGcLowThresholdPercent: 80 }, 80, { imageGcLowThresholdPercent: -1 }),
    setting('cpuCFSQuota', { cpuCfsQuota: false }, false),
    {
      field: 'spec.kubelet',
      prop: 'kubelet.other',
      props: { kubelet: { other: { registryPullQPS: KubeletSetting.number(10) } } },
      value: { registryPullQPS: 10 },
      misuse: { kubelet: { other: { registerWithTaints: KubeletSetting.json('[]') } } },
      misusedField: 'spec.kubelet.registerWithTaints',
    },
  ];
}

function setting(
  field: string,
  kubelet: nodes.KubeletConfiguration,
  value: unknown,
  misuse?: nodes.KubeletConfiguration,
  inField = '',
  by?: string,
): Case {
  return {
    field: `spec.kubelet.${field}`,
    prop: `kubelet.${Object.keys(kubelet)[0]}`,
    ...(by && { by }),
    props: { kubelet },
    value,
    ...(misuse && { misuse: { kubelet: misuse }, misusedField: `spec.kubelet.${field}${inField}` }),
  };
}
