import { setField, unsafeFix } from '../../../contract';
import { unsizedPodStorage, whyVolumesUnknown } from '../../context/pod-storage-device';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { nodeClasses } from '../subjects';

const SYSTEM_VOLUME = '/dev/xvda';
const DATA_VOLUME = '/dev/xvdb';

/** @see https://github.com/aws/karpenter-provider-aws/issues/6214 */
export const bottlerocketDataVolume = defineRule({
  id: 'KARP-803',
  name: 'bottlerocket-data-volume',
  severity: 'error',
  summary:
    'A Bottlerocket node class sizes the system volume instead of the data volume, which holds images and pod storage.',
  subjects: nodeClasses({ unknown: whyVolumesUnknown }),
  judge({ facts }) {
    if (facts?.amiFamily !== 'Bottlerocket' || !facts.blockDevices?.length) return NOT_APPLICABLE;
    const wrongRoot = facts.blockDevices.findIndex(
      ({ rootVolume, deviceName, volumeSizeBytes }) =>
        rootVolume === true && deviceName === SYSTEM_VOLUME && volumeSizeBytes !== undefined,
    );
    if (wrongRoot >= 0) return rootVolumeFinding(wrongRoot);
    const unsized = unsizedPodStorage(facts);
    if (!unsized) return undefined;
    const { device, defaultSize, mappedDevice, size, index } = unsized;
    const path = ['spec', 'blockDeviceMappings', index, 'deviceName'];
    return {
      path,
      message: `gives the system volume ${mappedDevice} ${size}, but images and pods use the data volume ${device}, which stays at ${defaultSize}`,
      remedy: `write deviceName: ${device}`,
      evidence: { deviceName: mappedDevice, dataVolume: device, size },
      fix: unsafeFix(setField(path, device)),
    };
  },
});

function rootVolumeFinding(index: number): SubjectFinding {
  return {
    path: ['spec', 'blockDeviceMappings', index, 'rootVolume'],
    message: `has rootVolume: true on the system volume ${SYSTEM_VOLUME}: Karpenter plans with its size, but images and pods use ${DATA_VOLUME}`,
    remedy: `remove rootVolume from ${SYSTEM_VOLUME}, and map ${DATA_VOLUME} with the volumeSize that pods need`,
    evidence: { deviceName: SYSTEM_VOLUME, dataVolume: DATA_VOLUME },
  };
}
