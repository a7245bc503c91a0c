import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';
import { whyVolumesUnknown, unsizedPodStorage } from './pod-storage-device';
import { setField, unsafeFix } from '../../../contract';
import { recordsOf } from '../../manifest/records';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specblockdevicemappings */
export const rootDeviceMismatch: Rule = {
  id: 'KARP-802',
  name: 'root-device-mismatch',
  severity: 'error',
  summary:
    'A node class sizes a device that is not the root device of its AMIs: pods keep the default disk, and an unused second disk costs money.',
  check({ model: { nodeClasses } }: RuleContext): Outcome[] {
    return nodeClasses.flatMap((nodeClass): Outcome[] => {
      const { object, facts } = nodeClass;
      const unknown = whyVolumesUnknown(nodeClass);
      if (unknown !== undefined) return [notEvaluated(object, unknown)];
      // The root device of Custom AMIs is not known. KARP-803 checks Bottlerocket, which has two volumes.
      if (!facts?.blockDevices?.length || facts.amiFamily === 'Custom' || facts.amiFamily === 'Bottlerocket') return [];
      const unsized = unsizedPodStorage(facts);
      if (!unsized) return [pass(object)];
      const { device, defaultSize, mappedDevice, size, index } = unsized;
      const path = ['spec', 'blockDeviceMappings', index, 'deviceName'];
      const evidence = { amiFamily: facts.amiFamily, deviceName: mappedDevice, root: device, size };
      // Without an alias, the AMIs may be custom ones of the family, with another root device.
      if (!recordsOf(object.raw.spec?.amiSelectorTerms).some(({ alias }) => alias !== undefined)) {
        return [
          fail({
            object,
            path,
            message: `gives ${mappedDevice} ${size}, but Karpenter assumes that pods on ${facts.amiFamily} nodes use ${device}: it plans with only ${defaultSize} for pods`,
            remedy: `write rootVolume: true in the mapping if ${mappedDevice} is the root device of these AMIs, else deviceName: ${device}`,
            evidence,
            severity: 'warning',
          }),
        ];
      }
      return [
        fail({
          object,
          path,
          message:
            `gives ${mappedDevice} ${size}, but the root device of ${facts.amiFamily} AMIs is ${device}: the disk that pods use stays at ${defaultSize}, ` +
            'and the mapping adds a disk that nothing uses',
          remedy: `write deviceName: ${device}`,
          evidence,
          fix: unsafeFix(setField(path, device)),
        }),
      ];
    });
  },
};
