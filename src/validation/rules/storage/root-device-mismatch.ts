import { setField, unsafeFix } from '../../../contract';
import { unsizedPodStorage, whyVolumesUnknown } from '../../context/pod-storage-device';
import { recordsOf } from '../../manifest/records';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { nodeClasses } from '../subjects';

/** KARP-803 checks Bottlerocket, which has two volumes. The root device of Custom AMIs is not known. */
const OTHER_FAMILIES: readonly string[] = ['Bottlerocket', 'Custom'];

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specblockdevicemappings */
export const rootDeviceMismatch = defineRule({
  id: 'KARP-802',
  name: 'root-device-mismatch',
  severity: 'error',
  summary:
    'A node class sizes a device that is not the root device of its AMIs: pods keep the default disk, and an unused second disk costs money.',
  subjects: nodeClasses({ unknown: whyVolumesUnknown }),
  judge({ object, facts }) {
    if (!facts?.blockDevices?.length || OTHER_FAMILIES.includes(facts.amiFamily)) return NOT_APPLICABLE;
    const unsized = unsizedPodStorage(facts);
    if (!unsized) return undefined;
    const { device, defaultSize, mappedDevice, size, index } = unsized;
    const path = ['spec', 'blockDeviceMappings', index, 'deviceName'];
    const evidence = { amiFamily: facts.amiFamily, deviceName: mappedDevice, root: device, size };
    // Without an alias, the AMIs may be custom ones of the family, with another root device.
    if (!recordsOf(object.raw.spec?.amiSelectorTerms).some(({ alias }) => alias !== undefined)) {
      return {
        path,
        message: `gives ${mappedDevice} ${size}, but Karpenter assumes that pods on ${facts.amiFamily} nodes use ${device}: it plans with only ${defaultSize} for pods`,
        remedy: `write rootVolume: true in the mapping if ${mappedDevice} is the root device of these AMIs, else deviceName: ${device}`,
        evidence,
        severity: 'warning',
      };
    }
    return {
      path,
      message:
        `gives ${mappedDevice} ${size}, but the root device of ${facts.amiFamily} AMIs is ${device}: the disk that pods use stays at ${defaultSize}, ` +
        'and the mapping adds a disk that nothing uses',
      remedy: `write deviceName: ${device}`,
      evidence,
      fix: unsafeFix(setField(path, device)),
    };
  },
});
