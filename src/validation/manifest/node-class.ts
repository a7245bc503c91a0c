import { addProblems, preventsUse } from './custom-resource';
import { FieldPath, ManifestObject, NodeClassManifest } from './model';
import { ProblemLog } from './problem-log';
import { PlainRecord, recordsOf } from './records';
import { AmiFamily, BlockDeviceFacts, KubeletFacts, NetworkInterfaceFacts, NodeClassFacts } from '../../catalog';
import { asRecord, FieldProblem, kubeletExpressions } from '../../contract';
import { Quantity, resourceAmount } from '../../model';

/** What a volume is like to EC2 alone: known or not, pods have the same room. */
const OF_VOLUME_ALONE: ReadonlySet<string> = new Set(['kmsKeyID', 'encrypted', 'iops', 'throughput', 'volumeType', 'deleteOnTermination']);

/** What of a node class decides what its instances look like. Mistakes elsewhere leave it judgeable. */
const DECISIVE = ['amiFamily', 'amiSelectorTerms', 'blockDeviceMappings', 'connectionTracking', 'cpuOptions', 'enclaveOptions', 'instanceStorePolicy', 'kubelet', 'networkInterfaces'];

const FAMILY_OF_ALIAS: Readonly<Record<string, AmiFamily>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
};

export function readNodeClass(object: ManifestObject, problems: readonly FieldProblem[], log: ProblemLog): NodeClassManifest {
  const { tokens, kept } = addProblems(object, problems, log);
  const judged = tokens.filter((token) => isDecisive(token.steps) && !OF_VOLUME_ALONE.has(String(token.steps.at(-1))));
  const spec = asRecord(object.raw.spec);
  const usable = spec && object.name !== '' && judged.length === 0 && !kept.some(spoils);
  return { object, tokens: judged.map((token) => token.text), facts: usable ? factsOf(object.name, spec) : undefined };
}

function spoils({ path, consequence }: FieldProblem): boolean {
  return preventsUse(consequence) && isDecisive(path);
}

function isDecisive(path: FieldPath): boolean {
  return path.length < 2 || DECISIVE.includes(String(path[1]));
}

function factsOf(name: string, spec: PlainRecord): NodeClassFacts {
  return {
    name,
    amiFamily: familyOf(spec),
    kubelet: kubeletOf(asRecord(spec.kubelet)),
    blockDevices: Array.isArray(spec.blockDeviceMappings) ? recordsOf(spec.blockDeviceMappings).map(blockDeviceOf) : undefined,
    instanceStoreRaid0: spec.instanceStorePolicy === 'RAID0',
    networkInterfaces: Array.isArray(spec.networkInterfaces) ? recordsOf(spec.networkInterfaces).map(networkInterfaceOf) : undefined,
    nestedVirtualization: asRecord(spec.cpuOptions)?.nestedVirtualization === 'enabled',
    nitroEnclaves: asRecord(spec.enclaveOptions)?.enabled === true,
    connectionTracking: spec.connectionTracking !== undefined,
  };
}

/** The alias names the family where amiFamily does not. Terms without either are Custom at most; the API asks for the family then. */
function familyOf(spec: PlainRecord): AmiFamily {
  if (typeof spec.amiFamily === 'string') return spec.amiFamily as AmiFamily;
  const alias = recordsOf(spec.amiSelectorTerms).map((term) => term.alias).find((value) => typeof value === 'string') as string | undefined;
  return FAMILY_OF_ALIAS[(alias ?? '').split('@')[0].toLowerCase()] ?? 'Custom';
}

function kubeletOf(kubelet: PlainRecord | undefined): KubeletFacts | undefined {
  return kubelet && {
    maxPods: count(kubelet.maxPods),
    podsPerCore: count(kubelet.podsPerCore),
    kubeReserved: amounts(kubelet.kubeReserved),
    systemReserved: amounts(kubelet.systemReserved),
    evictionHard: texts(kubelet.evictionHard),
    ...expressionsOf(kubelet),
  };
}

function expressionsOf(kubelet: PlainRecord): Pick<KubeletFacts, 'expressions'> {
  const { maxPods, kubeReserved, systemReserved } = kubeletExpressions(kubelet);
  if (maxPods === undefined && kubeReserved.size === 0 && systemReserved.size === 0) return {};
  return { expressions: { ...maxPods ? { maxPods } : {}, kubeReserved, systemReserved } };
}

function blockDeviceOf(mapping: PlainRecord): BlockDeviceFacts {
  const size = Quantity.tryParse(asRecord(mapping.ebs)?.volumeSize);
  return { deviceName: String(mapping.deviceName ?? ''), rootVolume: mapping.rootVolume === true, volumeSizeBytes: size?.value() };
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

function texts(raw: unknown): Record<string, string> | undefined {
  const map = asRecord(raw);
  return map && Object.fromEntries(Object.entries(map).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
