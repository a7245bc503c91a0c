import { asRecord, setField, unsafeFix } from '../../../contract';
import { valueText } from '../../../model';
import { unsizedPodStorage, whyVolumesUnknown } from '../../context/pod-storage-device';
import { recordsOf } from '../../manifest/records';
import { defineRule, Judgement, NOT_APPLICABLE } from '../define-rule';
import { nodeClasses } from '../subjects';

/** Names of the AMIs that Canonical publishes. */
const UBUNTU = /^ubuntu(?:-eks)?\//;
const UBUNTU_ROOT = '/dev/sda1';
/** KARP-803 checks Bottlerocket, which has two volumes. The root device of other Custom AMIs is not known. */
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
    if (facts?.amiFamily === 'Custom') return ofUbuntu(object.raw?.spec);
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

/** Karpenter plans with the volume of the last mapping of a Custom class, whichever the root device of the AMI is. */
function ofUbuntu(spec: unknown): Judgement {
  const { amiSelectorTerms, blockDeviceMappings } = asRecord(spec) ?? {};
  const terms = recordsOf(amiSelectorTerms);
  const mappings = recordsOf(blockDeviceMappings);
  const isUbuntu = terms.length > 0 && terms.every(({ name }) => typeof name === 'string' && UBUNTU.test(name));
  const isMapped = mappings.some(({ deviceName, rootVolume }) => deviceName === UBUNTU_ROOT || rootVolume === true);
  const index = mappings.map(({ ebs }) => asRecord(ebs)?.volumeSize !== undefined).lastIndexOf(true);
  if (!isUbuntu || isMapped || index < 0) return NOT_APPLICABLE;
  const { deviceName, ebs } = mappings[index];
  const size = valueText(asRecord(ebs)?.volumeSize);
  const path = ['spec', 'blockDeviceMappings', index, 'deviceName'];
  return {
    path,
    message: `gives ${valueText(deviceName)} ${size}, but the root device of Ubuntu AMIs is ${UBUNTU_ROOT}: the disk that pods use stays at the size of the AMI, and Karpenter plans with ${size}`,
    remedy: `write deviceName: ${UBUNTU_ROOT}`,
    evidence: { amiFamily: 'Custom', deviceName: valueText(deviceName), root: UBUNTU_ROOT, size },
    fix: unsafeFix(setField(path, UBUNTU_ROOT)),
  };
}
