import { asRecord } from '../../../contract';
import { countText, Label, listText, parseGoBool, shortListText, valueText } from '../../../model';
import { isOn, CniSettings, vpcCniSettings } from '../../context/vpc-cni';
import { ManifestObject, WorkloadManifest } from '../../manifest/model';
import { PlainRecord, recordsOf, stringMapOf } from '../../manifest/records';
import { classesInUse } from '../common/class-use';
import { canHold } from '../common/pod-constraints';
import { poolsOf } from '../common/pool';
import { defineRule, Judgement, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { LaunchingPool, subjectsFrom } from '../subjects';

const WINDOWS_IPAM = 'enable-windows-ipam';
const POD_ENI = 'vpc.amazonaws.com/pod-eni';
const ZONE_LABELS: readonly unknown[] = [Label.ZONE, 'failure-domain.beta.kubernetes.io/zone'];

interface CniSubject {
  readonly object: ManifestObject;
  readonly judge: (context: RuleContext) => Judgement;
}

/** @see https://docs.aws.amazon.com/eks/latest/userguide/cni-custom-network-tutorial.html */
export const cniLeavesPodsWithoutAddress = defineRule({
  id: 'KARP-265',
  name: 'cni-leaves-pods-without-address',
  severity: 'error',
  summary:
    'Settings of the VPC CNI leave pods without an address: Windows support is off, a zone has no ENIConfig, or no allowed instance type has a trunk interface.',
  subjects: subjectsFrom<CniSubject>((context) => [
    ...windowsSettings(context),
    ...customNetworking(context),
    ...podSecurityGroups(context),
  ]),
  judge: ({ judge }, context) => judge(context),
});

/** @see https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html */
function windowsSettings({ model }: RuleContext): CniSubject[] {
  const classes = classesInUse(model).filter(({ facts }) => facts?.amiFamily.startsWith('Windows'));
  if (classes.length === 0) return [];
  return model.objects
    .filter(
      ({ kind, name, namespace }) => kind === 'ConfigMap' && name === 'amazon-vpc-cni' && namespace === 'kube-system',
    )
    .map((object) => ({
      object,
      judge: () => {
        const value = asRecord(object.raw.data)?.[WINDOWS_IPAM];
        if (parseGoBool(value) === true || valueText(value ?? '').includes('${')) return undefined;
        const names = shortListText(classes.map((one) => one.object.name));
        return {
          path: ['data', WINDOWS_IPAM],
          message: `${value === undefined ? `has no ${WINDOWS_IPAM}` : `has ${WINDOWS_IPAM}: ${valueText(value)}`}: pods on the Windows nodes of EC2NodeClass ${names} get no address and stay in ContainerCreating`,
          remedy: `write ${WINDOWS_IPAM}: "true"`,
          evidence: { value: value ?? null, nodeClasses: classes.map((one) => one.object.name) },
        };
      },
    }));
}

/** Custom networking, if nodes find their ENIConfig by the name of their zone. */
function customNetworking({ model }: RuleContext): CniSubject[] {
  const { object, env } = vpcCniSettings(model) ?? {};
  if (!object || !env || !isOn(env, 'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG')) return [];
  const configs = model.objects.filter(
    ({ kind, apiVersion }) => kind === 'ENIConfig' && apiVersion.startsWith('crd.k8s.amazonaws.com/'),
  );
  const names = configs.map(({ name }) => name);
  if (!ZONE_LABELS.includes(env.ENI_CONFIG_LABEL_DEF) || names.length === 0 || names.some((name) => /\$|^$/.test(name)))
    return [];
  return [{ object: configs[0], judge: (context) => judgeZones(context, names, configs) }];
}

function judgeZones(context: RuleContext, names: readonly string[], configs: readonly ManifestObject[]): Judgement {
  const pools = poolsOf(context).filter(({ autoMode }) => !autoMode);
  const lacking = pools.flatMap((pool) => {
    const zones = requiredZones(pool.object).filter((zone) => !names.includes(zone));
    return zones.length === 0 ? [] : [{ pool, zones }];
  });
  if (lacking.length === 0) return undefined;
  const zones = [...new Set(lacking.flatMap((one) => one.zones))].sort();
  const unused = configs.find(({ name }) => pools.every(({ object }) => !requiredZones(object).includes(name)));
  return {
    object: unused ?? configs[0],
    path: ['metadata', 'name'],
    message:
      `custom networking takes the ENIConfig with the name of the zone, and there is none for ${listText(zones)}, where ${poolsText(lacking.map(({ pool }) => pool.name))}: ` +
      'pods there get no address and stay in ContainerCreating',
    remedy: `create an ENIConfig for ${listText(zones)}, or remove ${zones.length === 1 ? 'the zone' : 'the zones'} from the NodePool`,
    evidence: { zones, configs: names, nodePools: lacking.map(({ pool }) => pool.name) },
  };
}

/** The zones that the NodePool requires by name. */
function requiredZones({ raw }: ManifestObject): string[] {
  return recordsOf(raw.spec?.template?.spec?.requirements)
    .filter(({ key, operator }) => ZONE_LABELS.includes(key) && operator === 'In')
    .flatMap(({ values }) => (Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []));
}

/** @see https://docs.aws.amazon.com/eks/latest/userguide/security-groups-for-pods.html */
function podSecurityGroups({ model }: RuleContext): CniSubject[] {
  const cni: Partial<CniSettings> = vpcCniSettings(model) ?? {};
  if (cni.env !== undefined && !isOn(cni.env, 'ENABLE_POD_ENI')) return [];
  return model.objects
    .filter(({ kind, apiVersion }) => kind === 'SecurityGroupPolicy' && apiVersion.startsWith('vpcresources.k8s.aws/'))
    .map((object) => ({ object, judge: (context) => judgePolicy(context, object) }));
}

function judgePolicy(context: RuleContext, policy: ManifestObject): Judgement {
  const spec = asRecord(policy.raw.spec) ?? {};
  if (spec.serviceAccountSelector !== undefined) return undefined;
  const selected = context.model.workloads.filter((workload) => isSelected(workload, policy, spec));
  const findings = selected.flatMap((workload) => workloadFinding(context, workload, policy) ?? []);
  return findings;
}

function isSelected({ object, shape }: WorkloadManifest, policy: ManifestObject, spec: PlainRecord): boolean {
  const { matchLabels, matchExpressions } = asRecord(spec.podSelector) ?? {};
  const isOnHost = object.raw.spec?.template?.spec?.hostNetwork === true;
  if (shape === undefined || isOnHost || recordsOf(matchExpressions).length > 0) return false;
  return (
    (object.namespace ?? 'default') === (policy.namespace ?? 'default') &&
    Object.entries(stringMapOf(matchLabels)).every(([key, value]) => shape.labels?.[key] === value)
  );
}

function workloadFinding(
  context: RuleContext,
  { object, shape }: WorkloadManifest,
  policy: ManifestObject,
): SubjectFinding | undefined {
  const all = poolsOf(context);
  const pools = all.filter((pool): pool is LaunchingPool => pool.launch !== undefined && canHold(pool, shape!));
  if (pools.length === 0 || all.some((pool) => pool.launch === undefined || pool.autoMode)) return undefined;
  if (pools.some(hasTrunk)) return undefined;
  const types = new Set(pools.flatMap(({ launch: { indices, table } }) => indices.map((index) => table.names[index])));
  const [some] = types;
  return {
    object,
    path: ['spec', 'template', 'spec'],
    message:
      `SecurityGroupPolicy ${policy.name} gives its pods security groups of their own, which need ${POD_ENI}; none of the ${countText(types.size, 'instance type')} of NodePool ${shortListText(pools.map(({ name }) => name))} has a trunk interface, such as ${some}: ` +
      'the pods stay Pending',
    remedy: `allow instance types with a trunk interface in the NodePool, such as those of m6i or c6i, or remove the SecurityGroupPolicy`,
    evidence: { policy: policy.name, nodePools: pools.map(({ name }) => name), instanceTypes: types.size },
    related: { object: policy, path: ['spec', 'podSelector'], label: 'selects the pods' },
  };
}

function hasTrunk({ launch: { table, indices } }: LaunchingPool): boolean {
  const column = table.capacity[table.resources.indexOf(POD_ENI)];
  return column === undefined || indices.some((index) => column[index] > 0);
}

function poolsText(names: readonly string[]): string {
  return names.length === 1 ? `NodePool ${names[0]} launches nodes` : `NodePools ${shortListText(names)} launch nodes`;
}
