import { FieldPath, nodeLabelsIn, safeFix, setField, unsafeFix } from '../../../../contract';
import {
  countText,
  Label,
  listText,
  nearestName,
  shortListText,
  valueText,
  WELL_KNOWN_LABELS,
} from '../../../../model';
import { CniSettings, isOn, vpcCniSettings } from '../../../context/vpc-cni';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { ManifestObject } from '../../../manifest/model';
import { recordsOf, stringMapOf } from '../../../manifest/records';
import { isStandIn } from '../../api/selector-id-impossible';
import { Pool, poolsOf } from '../../common/pool';
import { SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';

const SWITCH = 'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG';
const LABEL_SETTING = 'ENI_CONFIG_LABEL_DEF';
const ANNOTATION_SETTING = 'ENI_CONFIG_ANNOTATION_DEF';
/** The label and the annotation that the VPC CNI reads without these settings. */
const DEFAULT_KEY = 'k8s.amazonaws.com/eniConfig';
/** The ENIConfig of nodes without the label and the annotation. */
const DEFAULT_CONFIG = 'default';
const ZONE_LABELS: readonly unknown[] = [Label.ZONE, 'failure-domain.beta.kubernetes.io/zone'];
const STUCK = 'pods there get no address and stay in ContainerCreating';

/** The ENIConfigs of the input, and the settings by which nodes find theirs. */
interface Networking {
  readonly cni: Required<CniSettings>;
  readonly configs: readonly ManifestObject[];
  readonly names: readonly string[];
  /** The label of nodes that names their ENIConfig. */
  readonly label: string;
}

/**
 * What is wrong with custom networking.
 *
 * Source: GetNodeSpecificENIConfigName in pkg/eniconfig/eniconfig.go of the VPC CNI 1.19: the annotation of the node,
 * else its label, else the ENIConfig `default`.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/cni-custom-network-tutorial.html
 */
export function customNetworking(context: RuleContext): SubjectFinding[] {
  const networking = networkingOf(context);
  if (networking === undefined) return [];
  if (!isOn(networking.cni.env, SWITCH)) return switchedOff(networking);
  const pools = poolsOf(context).filter(({ autoMode }) => !autoMode);
  const byZone = ZONE_LABELS.includes(networking.label);
  return [
    ...(byZone ? missingZones(networking, pools) : byLabel(context, networking, pools)),
    ...(byZone ? wrongSubnets(context, networking) : []),
  ];
}

/** Undefined if not all of it is known. */
function networkingOf({ model }: RuleContext): Networking | undefined {
  const { object, env, pathOf } = vpcCniSettings(model) ?? {};
  const configs = model.objects.filter(
    ({ kind, apiVersion }) => kind === 'ENIConfig' && apiVersion.startsWith('crd.k8s.amazonaws.com/'),
  );
  const names = configs.map(({ name }) => name);
  if (object === undefined || env === undefined || pathOf === undefined || names.length === 0) return undefined;
  if (names.some((name) => /\$|^$/.test(name)) || findUnresolved(env) !== undefined) return undefined;
  const label = env[LABEL_SETTING] ?? DEFAULT_KEY;
  return { cni: { object, env, pathOf }, configs, names, label: valueText(label) };
}

/** A setting that `kubectl set env` may have made is not in the input, so that only written ones count. */
function switchedOff({ cni: { object, env, pathOf }, names }: Networking): SubjectFinding[] {
  const written = env[SWITCH];
  if (written === undefined && env[LABEL_SETTING] === undefined) return [];
  return [
    {
      object,
      path: pathOf(SWITCH),
      message:
        `has ${written === undefined ? `no ${SWITCH}` : `${SWITCH}: ${valueText(written)}`}, so that the VPC CNI ignores the ${countText(names.length, 'ENIConfig')} of the input: ` +
        'pods get addresses of the subnet of their node',
      remedy: `write ${SWITCH}: "true", or remove ${names.length === 1 ? 'the ENIConfig' : 'the ENIConfigs'}`,
      evidence: { setting: SWITCH, value: written ?? null, configs: names },
      severity: 'warning',
    },
  ];
}

function missingZones({ names, configs }: Networking, pools: readonly Pool[]): SubjectFinding[] {
  const lacking = pools.flatMap((pool) => {
    const zones = requiredValues(pool.object, ZONE_LABELS).filter((zone) => !names.includes(zone));
    return zones.length === 0 ? [] : [{ pool, zones }];
  });
  if (lacking.length === 0) return [];
  const zones = [...new Set(lacking.flatMap((one) => one.zones))].sort();
  const unused = configs.find(({ name }) =>
    pools.every(({ object }) => !requiredValues(object, ZONE_LABELS).includes(name)),
  );
  // Without a name that may be meant for the zone, the zone itself is where a change begins.
  const place =
    unused === undefined
      ? { object: lacking[0].pool.object, path: zonePath(lacking[0].pool.object, lacking[0].zones[0]) }
      : { object: unused, path: ['metadata', 'name'] };
  return [
    {
      ...place,
      message:
        `custom networking takes the ENIConfig with the name of the zone, and there is none for ${listText(zones)}, where ${poolsText(lacking.map(({ pool }) => pool.name))}: ` +
        STUCK,
      remedy: `create an ENIConfig for ${listText(zones)}, or remove ${zones.length === 1 ? 'the zone' : 'the zones'} from the NodePool`,
      evidence: { zones, configs: names, nodePools: lacking.map(({ pool }) => pool.name) },
      ...(unused === undefined
        ? { related: { object: configs.at(-1)!, path: ['metadata', 'name'], label: 'the ENIConfig of another zone' } }
        : {}),
    },
  ];
}

/** Where a NodePool requires a zone. */
function zonePath({ raw }: ManifestObject, zone: string): FieldPath {
  const requirements = ['spec', 'template', 'spec', 'requirements'];
  const values = recordsOf(raw.spec?.template?.spec?.requirements).map((one) =>
    ZONE_LABELS.includes(one.key) && Array.isArray(one.values) ? one.values.indexOf(zone) : -1,
  );
  const index = values.findIndex((position) => position >= 0);
  return [...requirements, index, 'values', values[index]];
}

/** Nodes find their ENIConfig by a label other than their zone. */
function byLabel(context: RuleContext, networking: Networking, pools: readonly Pool[]): SubjectFinding[] {
  const { label, names } = networking;
  if (label === Label.ZONE_ID) return names.some(isZoneId) ? [] : [otherLabel(networking, pools, 'zone-id')];
  const found = pools.map((pool) => ({ pool, values: configsOf(context, networking, pool) }));
  const withoutLabel = found.filter(({ values }) => values?.length === 0).map(({ pool }) => pool);
  const withOther = found.flatMap(({ pool, values = [] }) => {
    const absent = values.filter((value) => !names.includes(value));
    return absent.length === 0 ? [] : [unknownConfig(networking, pool, absent)];
  });
  const needsDefault = withoutLabel.length > 0 && !names.includes(DEFAULT_CONFIG);
  return [...(needsDefault ? [otherLabel(networking, withoutLabel, 'no-label')] : []), ...withOther];
}

/** The ENIConfigs that nodes of a NodePool name: none without the label, undefined if they are not known. */
function configsOf(context: RuleContext, { cni: { env }, label }: Networking, pool: Pool): string[] | undefined {
  const { metadata } = pool.object.raw.spec?.template ?? {};
  const annotation = stringMapOf(metadata?.annotations)[valueText(env[ANNOTATION_SETTING] ?? DEFAULT_KEY)];
  const written = annotation ?? stringMapOf(metadata?.labels)[label];
  if (written !== undefined) return findUnresolved(written) === undefined ? [written] : undefined;
  const required = requiredValues(pool.object, [label]);
  if (required.length > 0) return findUnresolved(required) === undefined ? required : undefined;
  const nodeClass = context.model.nodeClasses.find(({ object }) => object.name === pool.spec?.nodeClass);
  const { userData } = nodeClass?.object.raw.spec ?? {};
  if (pool.spec === undefined || nodeClass?.facts === undefined) return undefined;
  if (WELL_KNOWN_LABELS.has(label) || label === Label.HOSTNAME || pool.requirements?.has(label)) return undefined;
  const inUserData = nodeLabelsIn(nodeClass.facts.amiFamily, valueText(userData ?? '')).get(label);
  if (inUserData !== undefined) return [inUserData];
  return valueText(userData ?? '').includes(label) ? undefined : [];
}

/** Nodes find no ENIConfig, because the label is not the one that the names of the ENIConfigs are values of. */
function otherLabel(
  { cni: { object, env, pathOf }, label, names }: Networking,
  pools: readonly Pool[],
  kind: 'zone-id' | 'no-label',
): SubjectFinding {
  const zones = pools.flatMap((pool) => requiredValues(pool.object, ZONE_LABELS));
  const areZones =
    names.some((name) => zones.includes(name)) || names.every((name) => /^[a-z]{2}(-[a-z]+)+-\d[a-z]$/.test(name));
  const written = env[LABEL_SETTING] === undefined ? `no ${LABEL_SETTING}` : `${LABEL_SETTING}: ${label}`;
  const path = pathOf(LABEL_SETTING);
  const found =
    kind === 'zone-id'
      ? `custom networking takes the ENIConfig with the id of the zone, such as ${zoneIdLike(names)}`
      : `nodes of NodePool ${shortListText(pools.map(({ name }) => name))} do not have the label ${label}, so that custom networking takes the ENIConfig ${DEFAULT_CONFIG}`;
  return {
    object,
    path,
    message: `has ${written}: ${found}, but the input has only ${shortListText(names)}: ${STUCK}`,
    remedy: areZones
      ? `write ${LABEL_SETTING}: ${Label.ZONE}${kind === 'zone-id' ? ', or give the ENIConfigs the ids of the zones as names' : ''}`
      : kind === 'zone-id'
        ? 'give the ENIConfigs the ids of the zones as names'
        : `add the label ${label} with the name of an ENIConfig to spec.template.metadata.labels of the NodePool, or write ${LABEL_SETTING}: ${Label.ZONE} and one ENIConfig for each zone`,
    evidence: { label, configs: names, nodePools: pools.map(({ name }) => name) },
    ...(areZones && path.includes('env') && env[LABEL_SETTING] !== undefined
      ? { fix: safeFix(setField(path, Label.ZONE)) }
      : {}),
  };
}

function unknownConfig(
  { label, names }: Networking,
  { object, name }: Pool,
  values: readonly string[],
): SubjectFinding {
  const [value] = values;
  const meant = nearestName(value, names);
  const path = ['spec', 'template', 'metadata', 'labels', label];
  const isLabel = stringMapOf(object.raw.spec?.template?.metadata?.labels)[label] === value;
  return {
    object,
    path: isLabel ? path : ['spec', 'template'],
    message: `its nodes take the ENIConfig ${listText(values)} for custom networking, by ${label}, and there is none with this name: ${STUCK}`,
    remedy:
      meant === undefined
        ? `create the ENIConfig ${value}, or name one of ${shortListText(names)}`
        : `write ${meant} instead of ${value}`,
    evidence: { nodePool: name, label, values: [...values], configs: names },
    ...(meant !== undefined && isLabel ? { fix: unsafeFix(setField(path, meant)) } : {}),
  };
}

/** A subnet is in one zone, so that the ENIConfigs of two zones cannot share it. */
function wrongSubnets({ model }: RuleContext, { configs }: Networking): SubjectFinding[] {
  const described = model.cluster?.subnets ?? [];
  const subnets = [...new Set(configs.flatMap((config) => subnetOf(config) ?? []))];
  return subnets.flatMap((subnet) => {
    const [first, ...others] = configs.filter((config) => subnetOf(config) === subnet);
    const zone = described.find(({ id }) => id === subnet)?.zone;
    const wrong = zone === undefined ? others : [first, ...others].filter(({ name }) => name !== zone);
    if (wrong.length === 0) return [];
    const names = listText(wrong.map(({ name }) => name));
    const where =
      zone === undefined ? `that of ENIConfig ${first.name} too, and a subnet is in one zone` : `in ${zone}`;
    return [
      {
        object: wrong[0],
        path: ['spec', 'subnet'],
        message: `is for nodes in ${wrong[0].name}, and its subnet ${subnet} is ${where}: a node attaches no interface of a subnet in another zone, and pods in ${names} get no address and stay in ContainerCreating`,
        remedy: `write the id of a subnet in ${wrong[0].name}${wrong.length > 1 ? ', and likewise for the others' : ''}`,
        evidence: { subnet, zone: zone ?? null, configs: wrong.map(({ name }) => name) },
      },
    ];
  });
}

/** Undefined for a placeholder. */
function subnetOf({ raw }: ManifestObject): string | undefined {
  const subnet: unknown = raw.spec?.subnet;
  return typeof subnet === 'string' && /^subnet-([0-9a-f]{8}|[0-9a-f]{17})$/.test(subnet) && !isStandIn(subnet)
    ? subnet
    : undefined;
}

/** The values that a NodePool requires of one of the labels by name. */
function requiredValues({ raw }: ManifestObject, labels: readonly unknown[]): string[] {
  return recordsOf(raw.spec?.template?.spec?.requirements)
    .filter(({ key, operator }) => labels.includes(key) && operator === 'In')
    .flatMap(({ values }) => (Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []));
}

function isZoneId(name: string): boolean {
  return /^[a-z]+\d+-(?:[a-z0-9]+-)*(?:az|wlz)\d+$/.test(name);
}

/** An id of a zone in the region of these zones. */
function zoneIdLike(names: readonly string[]): string {
  const [, area, direction, number] = /^([a-z]{2})-([a-z]+)-(\d)[a-z]$/.exec(names[0]) ?? [];
  return area === undefined ? 'euw1-az1' : `${area}${direction[0]}${number}-az1`;
}

function poolsText(names: readonly string[]): string {
  return names.length === 1 ? `NodePool ${names[0]} launches nodes` : `NodePools ${shortListText(names)} launch nodes`;
}
