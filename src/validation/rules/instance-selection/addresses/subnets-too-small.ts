import { hasOtherCni, poolsOfClass } from './pod-addresses';
import { countText, listText, numberText, shortListText } from '../../../../model';
import { hasIpv6, vpcCniOf, vpcCniSettings } from '../../../context/vpc-cni';
import { NodeClassManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { anyOf, Subnet, selectsResource } from '../../../template';
import { classesInUse } from '../../common/class-use';
import { defineRule, Judgement, NOT_APPLICABLE, unknown } from '../../define-rule';
import { RuleContext } from '../../rule';
import { LaunchingPool, subjectsFrom } from '../../subjects';

/** AWS keeps the first four addresses and the last one of each subnet. */
const RESERVED = 5;
/** The VPC CNI keeps one interface of addresses beside those in use (WARM_ENI_TARGET). */
const INTERFACES = 2;
/** A smaller prefix holds more nodes than this rule is about. */
const SHORTEST_PREFIX = 24;
const LEAST_NODES = 2;
const MOST_NAMED = 3;

type SizedSubnet = Subnet & Required<Pick<Subnet, 'prefixLengths'>>;

/**
 * Counts the addresses of a node as the VPC CNI takes them by default, for the type that takes the fewest.
 *
 * @see https://docs.aws.amazon.com/eks/latest/best-practices/subnets.html
 */
export const subnetsTooSmall = defineRule<NodeClassManifest>({
  id: 'KARP-268',
  name: 'subnets-too-small',
  readsTerraform: true,
  severity: 'warning',
  summary: 'The subnets of a node class are so small that each has addresses for the pods of one node at most.',
  subjects: subjectsFrom<NodeClassManifest>(({ model }) => classesInUse(model), {
    where: (_, { model }) => model.aws.subnets.length > 0 && (model.cluster?.subnets ?? []).length === 0,
  }),
  judge(nodeClass, context): Judgement {
    const subnets = selectedSubnets(nodeClass, context);
    if (subnets.length === 0) return NOT_APPLICABLE;
    const sized = subnets.filter((subnet): subnet is SizedSubnet => subnet.prefixLengths !== undefined);
    if (sized.length < subnets.length) return unknown('the size of its subnets is known only at deployment');
    const lengths = sized.flatMap(({ prefixLengths }) => prefixLengths);
    const pools = poolsOfClass(context, nodeClass);
    const least = leastAddresses(context, pools);
    if (least === undefined || hasOtherAddresses(context)) return NOT_APPLICABLE;
    const most = Math.max(...lengths.map(addressesOf));
    const nodes = Math.floor(most / least.addresses);
    if (Math.min(...lengths) <= SHORTEST_PREFIX || nodes >= LEAST_NODES) return undefined;
    const [{ resource }] = sized;
    const names = [...new Set(sized.map((subnet) => subnet.resource.object.name))];
    const prefixes = [...new Set(lengths)].sort().map((length) => `/${length}`);
    return {
      object: resource.object,
      path: ['Properties', 'CidrBlock'],
      message:
        `${names.length === 1 ? 'the subnets have' : `subnets ${shortListText(names, MOST_NAMED)} have`} ${listText(prefixes)}, which leaves ` +
        `${most === Math.min(...lengths.map(addressesOf)) ? '' : 'at most '}${countText(most, 'address', 'addresses')} each for nodes and pods: the VPC CNI takes ${numberText(least.addresses)} for a node of ` +
        `${least.instanceType}, so ${nodes === 0 ? 'no node of EC2NodeClass' : 'each holds one node of EC2NodeClass'} ${nodeClass.object.name}${nodes === 0 ? ' gets addresses for its pods' : ''}`,
      remedy: 'give nodes and pods subnets of /20 to /24, and keep smaller ones for the control plane',
      evidence: {
        prefixLengths: lengths,
        addresses: most,
        instanceType: least.instanceType,
        perNode: least.addresses,
        nodes,
      },
      related: { object: nodeClass.object, path: ['spec', 'subnetSelectorTerms'], label: 'selects them' },
    };
  },
});

function selectedSubnets({ object }: NodeClassManifest, { model }: RuleContext): Subnet[] {
  const terms = recordsOf(object.raw?.spec?.subnetSelectorTerms);
  return model.aws.subnets.filter((subnet) => anyOf(terms.map((term) => selectsResource(term, subnet))) === 'yes');
}

function addressesOf(prefixLength: number): number {
  return 2 ** (32 - prefixLength) - RESERVED;
}

/** The type of the NodePools that takes the fewest addresses as soon as it has a pod. */
function leastAddresses(
  { catalog }: RuleContext,
  pools: readonly LaunchingPool[],
): { readonly instanceType: string; readonly addresses: number } | undefined {
  const types = pools.flatMap(({ launch: { view } }) => view.instanceTypes);
  const all = types.flatMap((instanceType) => {
    const limits = catalog.networkLimits(instanceType);
    if (limits === undefined) return [];
    return [{ instanceType, addresses: Math.min(INTERFACES, limits.interfaces) * limits.ipv4PerInterface }];
  });
  return all.reduce<(typeof all)[number] | undefined>(
    (least, type) => (least === undefined || type.addresses < least.addresses ? type : least),
    undefined,
  );
}

/** Whether pods have addresses of other subnets, or of another CNI, or of IPv6, or nodes keep fewer ready. */
function hasOtherAddresses({ model }: RuleContext): boolean {
  const cni = vpcCniOf(model);
  const settings = vpcCniSettings(model);
  if (settings?.env && 'WARM_IP_TARGET' in settings.env) return true;
  const hasConfigs = model.objects.some(({ kind }) => kind === 'ENIConfig');
  return cni?.hasOwnSubnets === true || hasConfigs || hasIpv6(model) || hasOtherCni(model);
}
