import { groupsOnHostNetwork, hasOtherCni } from './pod-addresses';
import { countText, listText, numberText } from '../../../../model';
import { PlannedNodeClaim } from '../../../../scheduling';
import { vpcCniOf } from '../../../context/vpc-cni';
import { DescribedSubnet, NodeClassManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { selectsResource } from '../../../template';
import { classesInUse } from '../../common/class-use';
import { defineRule, Judgement, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsFrom } from '../../subjects';

/**
 * Counts one address for each node and each pod. The VPC CNI takes more, because it keeps spare ones, so the figures
 * are lower bounds.
 *
 * @see https://docs.aws.amazon.com/eks/latest/best-practices/subnets.html
 */
export const subnetAddressesRunOut = defineRule({
  id: 'KARP-256',
  name: 'subnet-addresses-run-out',
  severity: 'error',
  summary: 'The planned nodes and pods need more addresses than the subnets of the node class have free.',
  subjects: subjectsFrom<NodeClassManifest>(({ model }) => classesInUse(model), {
    where: (nodeClass, { model }) => subnetsOf(nodeClass, model.cluster?.subnets ?? []).length > 0,
  }),
  judge(nodeClass, context): Judgement {
    const subnets = subnetsOf(nodeClass, context.model.cluster!.subnets);
    const pools = context.model.nodePools.filter(({ spec }) => spec?.nodeClass === nodeClass.object.name);
    const claims = context.plan.nodeClaims.filter(({ nodePool }) =>
      pools.some(({ object }) => object.name === nodePool),
    );
    const zones = [...new Set(subnets.map(({ zone }) => zone))].sort();
    const short = zones.flatMap((zone) => shortage(context, claims, subnets, [zone]) ?? []);
    const all = shortage(context, claims, subnets, zones);
    return short.length > 0 || all === undefined ? short : [all];
  },
});

/** The subnets of the file that the class selects; empty if one of its terms cannot be compared with them. */
function subnetsOf({ object }: NodeClassManifest, subnets: readonly DescribedSubnet[]): DescribedSubnet[] {
  const terms = recordsOf(object.raw?.spec?.subnetSelectorTerms);
  return subnets.filter(({ id, tags }) => terms.some((term) => selectsResource(term, { name: id, tags }) === 'yes'));
}

/** A finding if the nodes that can only be in these zones need more addresses than the subnets there have. */
function shortage(
  context: RuleContext,
  claims: readonly PlannedNodeClaim[],
  subnets: readonly DescribedSubnet[],
  zones: readonly string[],
): SubjectFinding | undefined {
  const confined = claims.filter(({ launch }) => launch?.zones.every((zone) => zones.includes(zone)));
  const nodes = confined.length;
  const pods = podsWithAddress(context, confined);
  const there = subnets.filter(({ zone }) => zones.includes(zone));
  const free = there.reduce((sum, subnet) => sum + subnet.free, 0);
  if (nodes + pods <= free) return undefined;
  const stuckPods = Math.min(pods, nodes + pods - free);
  return {
    object: classObject(context, confined[0]),
    path: ['spec', 'subnetSelectorTerms'],
    message: `the plan needs at least ${numberText(nodes + pods)} addresses in ${listText(zones)}, for ${countText(nodes, 'node')}${pods > 0 ? ` and ${countText(pods, 'pod')}` : ''}, but ${listText(there.map(({ id }) => id))} ${there.length === 1 ? 'has' : 'have'} ${numberText(free)} free: the other nodes do not launch, or their pods get no address`,
    remedy: `add subnets with at least ${numberText(nodes + pods - free)} more free addresses, or let the NodePool use zones with larger subnets`,
    evidence: { zones, nodes, pods, needed: nodes + pods, free, stuckPods, subnets: there.map(({ id }) => id) },
  };
}

function classObject({ model }: RuleContext, { nodePool }: PlannedNodeClaim): NodeClassManifest['object'] {
  const name = model.nodePools.find(({ object }) => object.name === nodePool)!.spec!.nodeClass;
  return model.nodeClasses.find(({ object }) => object.name === name)!.object;
}

/** Pods with an address of the node's subnet: of the VPC CNI without subnets of its own. A prefix takes no fewer. */
function podsWithAddress(context: RuleContext, claims: readonly PlannedNodeClaim[]): number {
  const { model } = context;
  const cni = vpcCniOf(model);
  if ((cni === undefined && hasOtherCni(model)) || cni?.hasOwnSubnets === true) return 0;
  const hostNetworked = groupsOnHostNetwork(context);
  return claims
    .flatMap(({ groups }) => [...groups])
    .reduce((sum, [group, count]) => sum + (hostNetworked.has(group) ? 0 : count), 0);
}
