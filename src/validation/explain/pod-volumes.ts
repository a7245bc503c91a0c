import { amiFamilyTraits, BlockDeviceFacts, NodeClassFacts } from '../../catalog';
import { FieldFix, setField, unsafeFix } from '../../contract';
import { amountsPerColumnUnit } from '../../model';
import { leftBehind, passesWithoutReasons } from '../../scheduling';
import { RuleContext } from '../context/check-session';
import { ObjectFix } from '../manifest/edit/fix-of';
import { NodeClassManifest } from '../manifest/model';
import { recordsOf } from '../manifest/records';

type LastPass = Pick<RuleContext, 'model' | 'lastInput' | 'catalog' | 'objectionTo'>;

interface VolumeChange {
  readonly description: string;
  readonly tried: number;
  readonly edits: readonly ObjectFix[];
}

/** A node class with a volume that is large enough for the pods. */
interface SizedClass {
  readonly description: string;
  readonly blockDevices: readonly BlockDeviceFacts[];
  readonly fix: FieldFix;
}

const STORAGE = 'ephemeral-storage';
const GIB = 2 ** 30;
/** The kubelet evicts pods below a tenth of the volume, and Karpenter reserves 1 GiB more. */
const [USABLE, RESERVED] = [0.9, GIB];
/** More is rather a wrong unit of the request. */
const MAX_GIBIBYTES = 2048;

/**
 * The pods that fit if the volume of their nodes is larger: a larger volume costs less than pods that are evicted for
 * want of the storage that they ask for.
 */
export function podVolumeChanges(context: LastPass, pending: ReadonlySet<number>): Map<number, VolumeChange> {
  const { lastInput, catalog, model } = context;
  const amountOf = (group: number) => lastInput.pods[group].shape.requests.get(STORAGE) ?? 0n;
  const asking = [...pending].filter((group) => amountOf(group) > 0n);
  const changes = new Map<number, VolumeChange>();
  const sizes = [...new Set(asking.map((group) => gibibytesFor(amountOf(group))))].sort((a, b) => a - b);
  for (const [name, facts] of lastInput.nodeClasses) {
    const manifest = model.nodeClasses.find(({ object }) => object.name === name);
    const largest = sizes.filter((size) => size <= MAX_GIBIBYTES).pop();
    const sized = manifest && largest && sizedClass(facts, manifest, largest);
    if (manifest === undefined || !sized) continue;
    const nodeClasses = new Map(lastInput.nodeClasses).set(name, { ...facts, blockDevices: sized.blockDevices });
    const passes = passesWithoutReasons({ ...lastInput, nodeClasses }, catalog);
    const { solved } = passes[passes.length - 1];
    if (solved.isBeyondBounds) continue;
    const left = leftBehind(solved);
    const edits = [{ object: manifest.object, fix: sized.fix }];
    if ([...left.keys()].some((group) => !pending.has(group)) || context.objectionTo?.(edits) !== undefined) continue;
    for (const group of asking)
      if (!left.has(group) && !changes.has(group))
        changes.set(group, { description: sized.description, tried: 1, edits });
  }
  return changes;
}

function gibibytesFor(amount: bigint): number {
  return Math.ceil((Number(amount) / amountsPerColumnUnit(STORAGE) + RESERVED) / USABLE / GIB);
}

/** The size of the volume that pods share; undefined if it is not known, or is no volume. */
export function podVolumeBytes(facts: NodeClassFacts): number | undefined {
  const { ephemeralDevice, defaultVolumeBytes } = amiFamilyTraits(facts.amiFamily);
  const mapped = facts.blockDevices?.[podDeviceIndex(facts)];
  if (ephemeralDevice === undefined || facts.instanceStoreRaid0 === true) return undefined;
  const mappedBytes = mapped?.volumeSizeBytes === undefined ? undefined : Number(mapped.volumeSizeBytes);
  return mapped === undefined ? defaultVolumeBytes : mappedBytes;
}

function podDeviceIndex({ amiFamily, blockDevices = [] }: NodeClassFacts): number {
  const { ephemeralDevice } = amiFamilyTraits(amiFamily);
  return blockDevices.findIndex(({ deviceName, rootVolume }) =>
    rootVolume === true ? amiFamily !== 'Bottlerocket' : deviceName === ephemeralDevice,
  );
}

/** Undefined if the volume of the pods is not known, is no volume, or is large enough. */
export function sizedClass(
  facts: NodeClassFacts,
  { object }: NodeClassManifest,
  gibibytes: number,
): SizedClass | undefined {
  const { amiFamily, blockDevices = [], instanceStoreRaid0, name } = facts;
  const { ephemeralDevice, defaultVolumeBytes } = amiFamilyTraits(amiFamily);
  if (ephemeralDevice === undefined || instanceStoreRaid0 === true) return undefined;
  const bytes = BigInt(gibibytes) * BigInt(GIB);
  const index = podDeviceIndex(facts);
  const mapped = blockDevices[index];
  if ((mapped?.volumeSizeBytes ?? BigInt(defaultVolumeBytes)) >= bytes) return undefined;
  const other = unusedDevice(facts, object.raw.spec?.userData, bytes);
  if (mapped === undefined && other !== undefined)
    return {
      description: `write deviceName: ${ephemeralDevice} instead of ${other.deviceName} in EC2NodeClass ${name}`,
      blockDevices: [{ ...other, deviceName: ephemeralDevice }],
      fix: unsafeFix(setField(['spec', 'blockDeviceMappings', 0, 'deviceName'], ephemeralDevice)),
    };
  const device = mapped?.deviceName ?? ephemeralDevice;
  const mapping = { deviceName: device, ebs: { volumeSize: `${gibibytes}Gi`, volumeType: 'gp3', encrypted: true } };
  const written = recordsOf(object.raw.spec?.blockDeviceMappings);
  return {
    description: `set volumeSize: ${gibibytes}Gi for ${device} in spec.blockDeviceMappings of EC2NodeClass ${name}`,
    blockDevices:
      mapped === undefined
        ? [...blockDevices, { deviceName: device, volumeSizeBytes: bytes }]
        : blockDevices.map((each) => (each === mapped ? { ...each, volumeSizeBytes: bytes } : each)),
    fix: unsafeFix(
      mapped === undefined
        ? setField(['spec', 'blockDeviceMappings'], [...written, mapping])
        : setField(['spec', 'blockDeviceMappings', index, 'ebs', 'volumeSize'], `${gibibytes}Gi`),
    ),
  };
}

/** The only mapped volume, if it is large enough and no user data may mount it. */
function unusedDevice({ blockDevices = [] }: NodeClassFacts, userData: unknown, bytes: bigint) {
  const [only] = blockDevices;
  const isLarge = blockDevices.length === 1 && (only.volumeSizeBytes ?? 0n) >= bytes;
  return isLarge && userData === undefined ? only : undefined;
}
