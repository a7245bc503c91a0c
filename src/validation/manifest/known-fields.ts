import { FieldPath, ManifestObject } from './model';
import { asRecord, FieldProblem, rejected } from '../../contract';

/** The fields of an object: a list's items under `[]`, and `null` where any value may stand. */
interface Fields { readonly [field: string]: Fields | null }

const anyOf = (names: string): Fields => Object.fromEntries(names.split(' ').map((name) => [name, null]));
const listOf = (items: Fields): Fields => ({ '[]': items });
const TAINTS = listOf(anyOf('effect key timeAdded value'));

/** Source: karpenter.sh_nodepools.yaml as shipped with Karpenter for AWS 1.15.1. */
const NODE_POOL: Fields = {
  ...anyOf('limits replicas weight'),
  disruption: { ...anyOf('consolidateAfter consolidationPolicy'), budgets: listOf(anyOf('duration nodes reasons schedule')) },
  template: {
    metadata: anyOf('annotations labels'),
    spec: {
      ...anyOf('expireAfter terminationGracePeriod'),
      // Another rule judges what is in it.
      nodeClassRef: null,
      requirements: listOf(anyOf('key minValues operator values')),
      startupTaints: TAINTS,
      taints: TAINTS,
    },
  },
};

const SELECTOR = listOf(anyOf('id name tags'));

/** Source: karpenter.k8s.aws_ec2nodeclasses.yaml as shipped with Karpenter for AWS 1.15.1. */
const EC2_NODE_CLASS: Fields = {
  ...anyOf('amiFamily associatePublicIPAddress context detailedMonitoring instanceProfile instanceStorePolicy ipPrefixCount kubelet role tags userData'),
  amiSelectorTerms: listOf(anyOf('alias id name owner ssmParameter tags')),
  blockDeviceMappings: listOf({
    ...anyOf('deviceName rootVolume'),
    ebs: anyOf('deleteOnTermination encrypted iops kmsKeyID snapshotID throughput volumeInitializationRate volumeSize volumeType'),
  }),
  capacityReservationSelectorTerms: listOf(anyOf('id instanceMatchCriteria ownerID tags')),
  connectionTracking: anyOf('tcpEstablishedTimeout udpStreamTimeout udpTimeout'),
  cpuOptions: anyOf('nestedVirtualization'),
  enclaveOptions: anyOf('enabled'),
  metadataOptions: anyOf('httpEndpoint httpProtocolIPv6 httpPutResponseHopLimit httpTokens'),
  networkInterfaces: listOf(anyOf('deviceIndex interfaceType networkCardIndex')),
  placementGroupSelector: anyOf('id name'),
  securityGroupSelectorTerms: SELECTOR,
  subnetSelectorTerms: listOf(anyOf('id tags')),
};

/** Source: karpenter.sh_nodeoverlays.yaml as shipped with Karpenter for AWS 1.15.1. */
const NODE_OVERLAY: Fields = {
  ...anyOf('price priceAdjustment weight'),
  capacity: null,
  requirements: listOf(anyOf('key operator values')),
};

const SPECS: Readonly<Record<string, Fields>> = { NodePool: NODE_POOL, EC2NodeClass: EC2_NODE_CLASS, NodeOverlay: NODE_OVERLAY };

/** Fields that the API does not have: `kubectl apply` refuses them, and other clients drop them without a word. */
export function unknownFields(object: ManifestObject): FieldProblem[] {
  const fields = SPECS[object.kind];
  return fields ? unknownIn(['spec'], object.raw.spec, fields) : [];
}

function unknownIn(path: FieldPath, value: unknown, fields: Fields | null): FieldProblem[] {
  if (!fields) return [];
  const items = fields['[]'];
  // A list where an object belongs, or the other way round, is found by the checks of the fields.
  if (Array.isArray(value)) return value.flatMap((item, i) => unknownIn([...path, i], item, items ?? null));
  if (items !== undefined) return [];
  return Object.entries(asRecord(value) ?? {}).flatMap(([name, item]) => {
    const at = [...path, name];
    return Object.hasOwn(fields, name) ? unknownIn(at, item, fields[name]) : [unknownField(at, name, item, Object.keys(fields))];
  });
}

function unknownField(path: FieldPath, name: string, value: unknown, known: readonly string[]): FieldProblem {
  const same = known.find((field) => field.toLowerCase().startsWith(name.toLowerCase()) || name.toLowerCase().startsWith(field.toLowerCase()));
  const remedy = same ? `write ${same}` : `remove it; the fields here are ${known.join(', ')}`;
  return rejected(path, 'is no field of the API, and is dropped by clients that do not refuse it', value, remedy);
}
