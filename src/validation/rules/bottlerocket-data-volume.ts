import { ManifestObject } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { unknownVolumes, unsizedStorage } from './private/storage-device';
import { Outcome, Rule, RuleContext } from './rule';

const SYSTEM_VOLUME = '/dev/xvda';
const DATA_VOLUME = '/dev/xvdb';

/** @see https://github.com/aws/karpenter-provider-aws/issues/6214 */
export class BottlerocketDataVolume implements Rule {
  public readonly id = 'KARP-803';
  public readonly name = 'bottlerocket-data-volume';
  public readonly severity = 'error';
  public readonly summary = 'A node class of Bottlerocket gives the volume of the system its size, and not the one that images and pods are on.';

  public check({ model: { nodeClasses } }: RuleContext): Outcome[] {
    return nodeClasses.flatMap((nodeClass): Outcome[] => {
      const { object, facts } = nodeClass;
      const unknown = unknownVolumes(nodeClass);
      if (unknown !== undefined) return [notEvaluated(object, unknown)];
      if (facts?.amiFamily !== 'Bottlerocket' || !facts.blockDevices?.length) return [];
      const wrong = facts.blockDevices.findIndex(({ rootVolume, deviceName, volumeSizeBytes }) =>
        rootVolume === true && deviceName === SYSTEM_VOLUME && volumeSizeBytes !== undefined);
      if (wrong >= 0) return [this.wrongRoot(object, wrong)];
      const found = unsizedStorage(facts);
      if (!found) return [pass(object)];
      const { device, has, mapped, size, at } = found;
      return [fail({
        object,
        path: ['spec', 'blockDeviceMappings', at, 'deviceName'],
        message: `gives ${mapped} ${size}, which is the disk of the system: images and pods are on ${device}, which stays at ${has}, as Karpenter counts it`,
        remedy: `map ${device} with that volumeSize, and leave ${mapped} as it is`,
        evidence: { deviceName: mapped, dataVolume: device, size },
      })];
    });
  }

  private wrongRoot(object: ManifestObject, at: number): Outcome {
    return fail({
      object,
      path: ['spec', 'blockDeviceMappings', at, 'rootVolume'],
      message: `has rootVolume: true on ${SYSTEM_VOLUME}, which is the disk of the system: Karpenter counts its size for pods, and images and pods are on ${DATA_VOLUME}`,
      remedy: `take rootVolume away from ${SYSTEM_VOLUME}, and map ${DATA_VOLUME} with the volumeSize that pods need`,
      evidence: { deviceName: SYSTEM_VOLUME, dataVolume: DATA_VOLUME },
    });
  }
}
