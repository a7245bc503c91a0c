import { addressesTaken, decidingSettings, WarmTargets, warmTargets } from './addresses-taken';
import { groupsOnHostNetwork, hasOtherCni, poolsOfClass } from './pod-addresses';
import { SizedSubnets, subnetsOfClass } from './sized-subnets';
import { countText, listText, numberText, shortListText, valueText } from '../../../../model';
import { PlannedNodeClaim } from '../../../../scheduling';
import { CniSettings, hasIpv6, vpcCniOf, vpcCniSettings } from '../../../context/vpc-cni';
import { NodeClassManifest } from '../../../manifest/model';
import { classesInUse } from '../../common/class-use';
import { defineRule, Judgement, NOT_APPLICABLE, SubjectFinding, unknown } from '../../define-rule';
import { RuleContext } from '../../rule';
import { LaunchingPool, subjectsFrom } from '../../subjects';

/** AWS keeps the first four addresses and the last one of each subnet. */
const RESERVED = 5;
/** A smaller prefix holds more nodes than this rule is about. */
const SHORTEST_PREFIX = 24;
const LEAST_NODES = 2;
const MOST_NAMED = 3;

/** What a node class needs of its subnets. */
interface Need {
  readonly nodeClass: NodeClassManifest;
  readonly subnets: SizedSubnets;
  readonly lengths: readonly number[];
  readonly pools: readonly LaunchingPool[];
  readonly targets: WarmTargets;
  readonly settings?: CniSettings;
}

/**
 * Counts the addresses of a node as the VPC CNI takes them, for the type that takes the fewest.
 *
 * @see https://docs.aws.amazon.com/eks/latest/best-practices/subnets.html
 */
export const subnetsTooSmall = defineRule<NodeClassManifest>({
  id: 'KARP-268',
  name: 'subnets-too-small',
  readsTerraform: true,
  severity: 'warning',
  summary:
    'The subnets of a node class are so small that each has addresses for the pods of one node at most, or fewer in all than the plan takes.',
  subjects: subjectsFrom<NodeClassManifest>(({ model }) => classesInUse(model), {
    where: (_, { model }) => (model.cluster?.subnets ?? []).length === 0,
  }),
  judge(nodeClass, context): Judgement {
    const { model } = context;
    const subnets = subnetsOfClass(model, nodeClass);
    if (subnets === undefined) return NOT_APPLICABLE;
    const { prefixLengths: lengths } = subnets;
    if (lengths === undefined) return unknown('the size of its subnets is known only at deployment');
    const settings = vpcCniSettings(model);
    const targets = warmTargets(settings?.env ?? {});
    const pools = poolsOfClass(context, nodeClass);
    if (targets === undefined || pools.length === 0 || hasOtherAddresses(context)) return NOT_APPLICABLE;
    const need = { nodeClass, subnets, lengths, pools, targets, ...(settings ? { settings } : {}) };
    return oneNodeEach(context, need) ?? planTakesMore(context, need);
  },
});

function oneNodeEach(context: RuleContext, need: Need): SubjectFinding | undefined {
  const { nodeClass, subnets, lengths, pools, targets } = need;
  const least = leastAddresses(context, pools, targets);
  const most = Math.max(...lengths.map(addressesOf));
  const nodes = least === undefined ? LEAST_NODES : Math.floor(most / least.addresses);
  if (least === undefined || Math.min(...lengths) <= SHORTEST_PREFIX || nodes >= LEAST_NODES) return undefined;
  const name = nodeClass.object.name;
  return {
    ...placed(need, (other) => Math.floor(most / leastAddresses(context, pools, other)!.addresses) >= LEAST_NODES),
    message:
      `${namesOf(subnets)} ${prefixesOf(lengths)}, which leaves ` +
      `${most === Math.min(...lengths.map(addressesOf)) ? '' : 'at most '}${countText(most, 'address', 'addresses')} each for nodes and pods: the VPC CNI takes ${numberText(least.addresses)} for a node of ` +
      `${least.instanceType}${because(need)}, so ${nodes === 0 ? 'no node of EC2NodeClass' : 'each holds one node of EC2NodeClass'} ${name}${nodes === 0 ? ' gets addresses for its pods' : ''}`,
    evidence: {
      prefixLengths: lengths,
      addresses: most,
      instanceType: least.instanceType,
      perNode: least.addresses,
      nodes,
    },
  };
}

/** Only if the class selects no other subnets, and the settings of the VPC CNI are known. */
function planTakesMore(context: RuleContext, need: Need): SubjectFinding | undefined {
  const { nodeClass, subnets, lengths, pools, targets, settings } = need;
  const isKnown = subnets.isWhole && (settings === undefined || settings.env !== undefined);
  const claims = context.plan.nodeClaims.filter(({ nodePool }) => pools.some(({ name }) => name === nodePool));
  const free = lengths.map(addressesOf).reduce((sum, each) => sum + each, 0);
  const taken = takenBy(context, claims, targets);
  if (!isKnown || taken <= free) return undefined;
  return {
    ...placed(need, (other) => takenBy(context, claims, other) <= free),
    message:
      `${namesOf(subnets)} ${prefixesOf(lengths)}, which leaves ${numberText(free)} addresses in all, but the VPC CNI takes at least ${numberText(taken)} ` +
      `for the ${countText(claims.length, 'node')} of the plan with EC2NodeClass ${nodeClass.object.name}${because(need)}: the last nodes do not launch, or their pods get no address`,
    evidence: { prefixLengths: lengths, addresses: free, taken, nodes: claims.length },
  };
}

/** The smallest number of addresses that planned nodes take, whichever of their types EC2 launches. */
function takenBy(context: RuleContext, claims: readonly PlannedNodeClaim[], targets: WarmTargets): number {
  const onHost = groupsOnHostNetwork(context);
  return claims.reduce((sum, { launch, groups }) => {
    const pods = [...groups].reduce((all, [group, count]) => all + (onHost.has(group) ? 0 : count), 0);
    const each = (launch?.instanceTypes ?? []).map((type) => {
      const limits = context.catalog.networkLimits(type);
      return limits === undefined ? 0 : addressesTaken(limits, pods, targets);
    });
    return sum + (each.length === 0 ? 0 : Math.min(...each));
  }, 0);
}

/** At the setting of the VPC CNI if its default would do; otherwise at the subnets. */
function placed({ nodeClass, subnets, targets, settings }: Need, isEnough: (targets: WarmTargets) => boolean) {
  const [setting] = decidingSettings(targets);
  const fallback = warmTargets({})!;
  const isBySetting = setting !== undefined && isEnough({ ...fallback, hasPrefixes: targets.hasPrefixes });
  return {
    ...(isBySetting
      ? { object: settings!.object, path: settings!.pathOf(setting) }
      : { object: subnets.object, path: subnets.path }),
    remedy: isBySetting
      ? `lower ${setting}, or give nodes and pods subnets of /20 to /24`
      : subnets.path[0] === 'vpc'
        ? 'write a larger block for vpc.cidr, such as 192.168.0.0/16: eksctl divides it into 8 subnets or more'
        : 'give nodes and pods subnets of /20 to /24, and keep smaller ones for the control plane',
    related: { object: nodeClass.object, path: ['spec', 'subnetSelectorTerms'], label: 'selects them' },
  };
}

/** The settings that are no defaults, for a message. */
function because({ settings, targets }: Need): string {
  const set = decidingSettings(targets).map((name) => `${name} ${valueText(settings?.env?.[name])}`);
  return set.length === 0 ? '' : ` with ${listText(set)}`;
}

function namesOf({ names }: SizedSubnets): string {
  if (names.length > 1) return `subnets ${shortListText(names, MOST_NAMED)} have`;
  return names[0].startsWith('of ') ? `the subnets ${names[0]} have` : 'the subnets have';
}

function prefixesOf(lengths: readonly number[]): string {
  return listText([...new Set(lengths)].sort().map((length) => `/${length}`));
}

function addressesOf(prefixLength: number): number {
  return 2 ** (32 - prefixLength) - RESERVED;
}

/** The type of the NodePools that takes the fewest addresses as soon as it has a pod. */
function leastAddresses(
  { catalog }: RuleContext,
  pools: readonly LaunchingPool[],
  targets: WarmTargets,
): { readonly instanceType: string; readonly addresses: number } | undefined {
  const types = pools.flatMap(({ launch: { view } }) => view.instanceTypes);
  const all = types.flatMap((instanceType) => {
    const limits = catalog.networkLimits(instanceType);
    return limits === undefined ? [] : [{ instanceType, addresses: addressesTaken(limits, 1, targets) }];
  });
  return all.reduce<(typeof all)[number] | undefined>(
    (least, type) => (least === undefined || type.addresses < least.addresses ? type : least),
    undefined,
  );
}

/** Whether pods have addresses of other subnets, or of another CNI, or of IPv6. */
function hasOtherAddresses({ model }: RuleContext): boolean {
  const hasConfigs = model.objects.some(({ kind }) => kind === 'ENIConfig');
  return vpcCniOf(model)?.hasOwnSubnets === true || hasConfigs || hasIpv6(model) || hasOtherCni(model);
}
