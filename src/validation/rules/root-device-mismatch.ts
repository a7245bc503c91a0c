import { fail, notEvaluated, pass } from './private/outcome';
import { unknownVolumes, unsizedStorage } from './private/storage-device';
import { Outcome, Rule, RuleContext } from './rule';
import { recordsOf } from '../manifest/records';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specblockdevicemappings */
export class RootDeviceMismatch implements Rule {
  public readonly id = 'KARP-802';
  public readonly name = 'root-device-mismatch';
  public readonly severity = 'error';
  public readonly summary = 'The size in a node class is for a device that is not the root of its images: the disk that pods use stays as it is, and another one is paid for.';

  public check({ model: { nodeClasses } }: RuleContext): Outcome[] {
    return nodeClasses.flatMap((nodeClass): Outcome[] => {
      const { object, facts } = nodeClass;
      const unknown = unknownVolumes(nodeClass);
      if (unknown !== undefined) return [notEvaluated(object, unknown)];
      // Of custom images it is not known, and Bottlerocket has two volumes: KARP-803.
      if (!facts?.blockDevices?.length || facts.amiFamily === 'Custom' || facts.amiFamily === 'Bottlerocket') return [];
      const found = unsizedStorage(facts);
      if (!found) return [pass(object)];
      const { device, has, mapped, size, at } = found;
      const path = ['spec', 'blockDeviceMappings', at, 'deviceName'];
      const evidence = { amiFamily: facts.amiFamily, deviceName: mapped, root: device, size };
      // Images of one's own may have their root elsewhere than those that the family is named after.
      if (!recordsOf(object.raw.spec?.amiSelectorTerms).some(({ alias }) => alias !== undefined)) {
        return [fail({
          object,
          path,
          message: `maps ${mapped} with ${size}, and with ${facts.amiFamily} Karpenter takes ${device} for the disk that pods use, unless told otherwise: it counts ${has} for them`,
          remedy: `write rootVolume: true in the mapping if ${mapped} is the root of these images, and deviceName: ${device} if it is not`,
          evidence,
          severity: 'warning',
        })];
      }
      return [fail({
        object,
        path,
        message: `maps ${mapped} with ${size}, and the root of ${facts.amiFamily} images is ${device}: the disk that pods use stays at ${has}, `
          + 'as Karpenter counts it, and the other one is a second disk that nothing uses',
        remedy: `write deviceName: ${device}`,
        evidence,
      })];
    });
  }
}
