import { isSuperfluous, logFieldProblems, preventsUse, TokenField } from './custom-resource';
import { AmiFamily, BlockDeviceFacts, KubeletFacts, NetworkInterfaceFacts, NodeClassFacts } from '../../../catalog';
import { asRecord, FieldProblem, kubeletExpressions } from '../../../contract';
import { Quantity, resourceAmount, valueText } from '../../../model';
import { isToken } from '../field-reader';
import { FieldPath, ManifestObject, NodeClassManifest } from '../model';
import { ProblemLog } from '../problem-log';
import { PlainRecord, recordsOf, stringMapOf } from '../records';

/** Properties of a volume that do not change the room for pods; a token in them does not matter. */
const VOLUME_ONLY_FIELDS: ReadonlySet<string> = new Set([
  'kmsKeyID',
  'encrypted',
  'iops',
  'throughput',
  'volumeType',
  'deleteOnTermination',
]);

/** The fields that decide the instances of a node class. It can be judged despite mistakes in other fields. */
const INSTANCE_FIELDS = [
  'amiFamily',
  'amiSelectorTerms',
  'blockDeviceMappings',
  'connectionTracking',
  'cpuOptions',
  'enclaveOptions',
  'instanceStorePolicy',
  'kubelet',
  'networkInterfaces',
];

const FAMILY_BY_ALIAS: Readonly<Record<string, AmiFamily>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
};

export function readNodeClass(
  object: ManifestObject,
  problems: readonly FieldProblem[],
  log: ProblemLog,
): NodeClassManifest {
  const { tokens, logged } = logFieldProblems(object, problems, log);
  const relevantTokens = tokens.filter(
    (token) =>
      isInstanceField(token.path) &&
      !VOLUME_ONLY_FIELDS.has(valueText(token.path.at(-1))) &&
      !(token.path[1] === 'amiSelectorTerms' && hasKnownFamily(object.raw.spec?.amiFamily, token)),
  );
  const spec = asRecord(object.raw.spec);
  const isUsable = spec && object.name !== '' && relevantTokens.length === 0 && !logged.some(affectsInstances);
  return {
    object,
    tokens: relevantTokens.map((token) => token.text),
    facts: isUsable ? factsOf(object.name, spec) : undefined,
  };
}

/** The AMI family is all that matters of AMIs: `amiFamily` has it, or the alias before its version. */
function hasKnownFamily(amiFamily: unknown, { value }: TokenField): boolean {
  if (typeof amiFamily === 'string') return !isToken(amiFamily);
  return typeof value === 'string' && Object.hasOwn(FAMILY_BY_ALIAS, value.split('@')[0].toLowerCase());
}

function affectsInstances(problem: FieldProblem): boolean {
  return preventsUse(problem.consequence) && isInstanceField(problem.path) && !isSuperfluous(problem);
}

function isInstanceField(path: FieldPath): boolean {
  return path.length < 2 || INSTANCE_FIELDS.includes(valueText(path[1]));
}

function factsOf(name: string, spec: PlainRecord): NodeClassFacts {
  return {
    name,
    amiFamily: familyOf(spec),
    kubelet: kubeletOf(asRecord(spec.kubelet)),
    blockDevices: Array.isArray(spec.blockDeviceMappings)
      ? recordsOf(spec.blockDeviceMappings).map(blockDeviceOf)
      : undefined,
    instanceStoreRaid0: spec.instanceStorePolicy === 'RAID0',
    networkInterfaces: Array.isArray(spec.networkInterfaces)
      ? recordsOf(spec.networkInterfaces).map(networkInterfaceOf)
      : undefined,
    nestedVirtualization: asRecord(spec.cpuOptions)?.nestedVirtualization === 'enabled',
    nitroEnclaves: asRecord(spec.enclaveOptions)?.enabled === true,
    connectionTracking: spec.connectionTracking !== undefined,
  };
}

/**
 * The AMI family of a class that Karpenter rejects for another reason. Undefined if the class names no family that
 * exists.
 */
export function readableFamily({ raw }: ManifestObject): AmiFamily | undefined {
  const spec = asRecord(raw.spec) ?? {};
  const family = familyOf(spec);
  const isKnown = Object.values(FAMILY_BY_ALIAS).includes(family);
  return isKnown || spec.amiFamily === 'Custom' ? family : undefined;
}

/**
 * The AMI family is that of the alias if amiFamily is not set. Without an alias the API requires amiFamily, so the rest
 * is Custom.
 */
function familyOf(spec: PlainRecord): AmiFamily {
  if (typeof spec.amiFamily === 'string') return spec.amiFamily as AmiFamily;
  const alias = recordsOf(spec.amiSelectorTerms)
    .map((term) => term.alias)
    .find((value) => typeof value === 'string') as string | undefined;
  return FAMILY_BY_ALIAS[(alias ?? '').split('@')[0].toLowerCase()] ?? 'Custom';
}

/** The settings of the kubelet that decide what a node has left for pods. */
export function kubeletOf(kubelet: PlainRecord | undefined): KubeletFacts | undefined {
  return (
    kubelet && {
      maxPods: count(kubelet.maxPods),
      podsPerCore: count(kubelet.podsPerCore),
      kubeReserved: amounts(kubelet.kubeReserved),
      systemReserved: amounts(kubelet.systemReserved),
      evictionHard: asRecord(kubelet.evictionHard) && stringMapOf(kubelet.evictionHard),
      ...expressionsOf(kubelet),
    }
  );
}

function expressionsOf(kubelet: PlainRecord): Pick<KubeletFacts, 'expressions'> {
  const { maxPods, kubeReserved, systemReserved } = kubeletExpressions(kubelet);
  if (maxPods === undefined && kubeReserved.size === 0 && systemReserved.size === 0) return {};
  return { expressions: { ...(maxPods ? { maxPods } : {}), kubeReserved, systemReserved } };
}

function blockDeviceOf(mapping: PlainRecord): BlockDeviceFacts {
  const size = Quantity.tryParse(asRecord(mapping.ebs)?.volumeSize);
  return {
    deviceName: valueText(mapping.deviceName ?? ''),
    rootVolume: mapping.rootVolume === true,
    volumeSizeBytes: size?.value(),
  };
}

function networkInterfaceOf(raw: PlainRecord): NetworkInterfaceFacts {
  return {
    networkCardIndex: count(raw.networkCardIndex) ?? 0,
    deviceIndex: count(raw.deviceIndex) ?? 0,
    interfaceType: raw.interfaceType === 'efa-only' ? 'efa-only' : 'interface',
  };
}

function amounts(raw: unknown): Map<string, bigint> | undefined {
  const entries = Object.entries(asRecord(raw) ?? {}).flatMap(([resource, value]): Array<[string, bigint]> => {
    const quantity = Quantity.tryParse(value);
    return quantity ? [[resource, resourceAmount(resource, quantity)]] : [];
  });
  return entries.length > 0 ? new Map(entries) : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
