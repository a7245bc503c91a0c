import { customNetworking } from './custom-networking';
import { asRecord, setField, unsafeFix } from '../../../../contract';
import { countText, LabelSelector, parseGoBool, selects, shortListText, valueText } from '../../../../model';
import { isOn, CniSettings, vpcCniSettings } from '../../../context/vpc-cni';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../../manifest/model';
import { PlainRecord, stringMapOf } from '../../../manifest/records';
import { classesInUse } from '../../common/class-use';
import { canHold, podSpecOf } from '../../common/pod-constraints';
import { poolsOf } from '../../common/pool';
import { defineRule, Judgement, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { LaunchingPool, subjectsFrom } from '../../subjects';

const WINDOWS_IPAM = 'enable-windows-ipam';
const POD_ENI = 'vpc.amazonaws.com/pod-eni';
const SWITCH = 'ENABLE_POD_ENI';

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
    'Settings of the VPC CNI leave pods without an address: Windows support is off, nodes find no ENIConfig, or no allowed instance type has a trunk interface.',
  readsTerraform: true,
  subjects: subjectsFrom<CniSubject>((context) => [
    ...windowsSettings(context),
    ...ofCustomNetworking(context),
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

/** All of custom networking is one cause. */
function ofCustomNetworking(context: RuleContext): CniSubject[] {
  const [first] = customNetworking(context);
  const { object } = first ?? {};
  return object === undefined ? [] : [{ object, judge: customNetworking }];
}

/** @see https://docs.aws.amazon.com/eks/latest/userguide/security-groups-for-pods.html */
function podSecurityGroups({ model }: RuleContext): CniSubject[] {
  const cni: Partial<CniSettings> = vpcCniSettings(model) ?? {};
  const isOff = cni.env !== undefined && !isOn(cni.env, SWITCH);
  // A command such as `kubectl set env` may have set the variable, if the input sets none.
  if (isOff && Object.keys(cni.env ?? {}).length === 0) return [];
  return model.objects
    .filter(({ kind, apiVersion }) => kind === 'SecurityGroupPolicy' && apiVersion.startsWith('vpcresources.k8s.aws/'))
    .map((object) => ({
      object,
      judge: (context) => (isOff ? judgeSwitch(context, object, cni as CniSettings) : judgePolicy(context, object)),
    }));
}

/** Karpenter launches types with a trunk interface, and the VPC CNI attaches none. */
function judgeSwitch({ model }: RuleContext, policy: ManifestObject, { object, pathOf }: CniSettings): Judgement {
  const spec = asRecord(policy.raw.spec) ?? {};
  const selected = model.workloads.filter((workload) => isSelected(model, workload, policy, spec));
  if (selected.length === 0) return undefined;
  const path = pathOf(SWITCH);
  const isField = path.at(-1) === SWITCH || path.at(-1) === 'value';
  const stuckPods = selected.reduce((sum, { kind, replicas }) => sum + (kind === 'DaemonSet' ? 0 : replicas), 0);
  const names = shortListText(selected.map(({ kind, name }) => `${kind} ${name}`));
  return {
    object,
    path,
    message: `does not switch ${SWITCH} on, and SecurityGroupPolicy ${policy.name} gives the pods of ${names} security groups of their own: nodes never report ${POD_ENI}, and the pods stay Pending`,
    remedy: `write ${SWITCH}: "true", or remove the SecurityGroupPolicy`,
    evidence: { policy: policy.name, setting: SWITCH, stuckPods },
    ...(isField ? { fix: unsafeFix(setField(path, 'true')) } : {}),
    related: { object: policy, path: ['spec', 'podSelector'], label: 'selects the pods' },
  };
}

function judgePolicy(context: RuleContext, policy: ManifestObject): Judgement {
  const spec = asRecord(policy.raw.spec) ?? {};
  const { model } = context;
  const selected = model.workloads.filter((workload) => isSelected(model, workload, policy, spec));
  const findings = selected.flatMap((workload) => workloadFinding(context, workload, policy) ?? []);
  return findings;
}

/** A selector that is absent selects all pods, if the other one is there. */
function isSelected(
  { objects }: ManifestModel,
  workload: WorkloadManifest,
  { namespace = 'default' }: ManifestObject,
  { podSelector, serviceAccountSelector }: PlainRecord,
): boolean {
  const { shape } = workload;
  const { hostNetwork, serviceAccountName = 'default' } = asRecord(podSpecOf(workload)) ?? {};
  const selectors = [podSelector, serviceAccountSelector];
  if (shape === undefined || hostNetwork === true || workload.namespace !== namespace) return false;
  if (selectors.every((selector) => asRecord(selector) === undefined) || findUnresolved(selectors)) return false;
  const account = objects.find(
    (object) =>
      object.kind === 'ServiceAccount' && object.name === serviceAccountName && object.namespace === namespace,
  );
  const accountLabels = account && stringMapOf(account.raw.metadata?.labels);
  return [[podSelector, shape.labels ?? {}] as const, [serviceAccountSelector, accountLabels] as const].every(
    ([selector, labels]) =>
      selector === undefined || (labels !== undefined && selects(selector as LabelSelector, labels)),
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
