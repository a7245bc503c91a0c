import { SolvedInput } from './solve';
import { fits, ResourceList } from '../../model';
import { PodShape } from '../input/pod-shape';
import { NodeViews } from '../nodes/existing-nodes';
import { unregisteredNode } from '../nodes/launched-node';
import { podRequests } from '../nodes/node-facts';
import { SchedulePlan } from '../schedule-plan';

/**
 * Tests whether a pod fits onto one of the launched nodes, without other pods, because fewer DaemonSets run there than
 * its claim has room for. A claim has room for a DaemonSet for on-demand nodes until it is launched on spot capacity.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/scheduler.go getCompatibleDaemonPods
 */
export function roomAfterLaunch(solvedInput: SolvedInput, plan: SchedulePlan): (shape: PodShape) => boolean {
  let rooms: readonly ResourceList[] | undefined;
  return (shape) => {
    rooms ??= largerRooms(solvedInput, plan);
    return rooms.some((room) => fits(podRequests(shape), room));
  };
}

/** The resources that the DaemonSets of the launched nodes leave, if they are more than those of the claims. */
function largerRooms({ workload, solved }: SolvedInput, { nodeClaims }: SchedulePlan): ResourceList[] {
  const { templates, daemonSets, relaxedDaemonSets } = workload;
  if (daemonSets.length === 0 || solved === undefined) return [];
  const views = new NodeViews(relaxedDaemonSets);
  const byOffer = new Map<string, readonly ResourceList[]>();
  for (const claim of nodeClaims) {
    const index = templates.findIndex(({ pool }) => pool.name === claim.nodePool);
    const offer = claim.launch?.cheapest;
    if (!offer || index < 0) continue;
    const key = JSON.stringify([index, offer, claim.requirements.map((requirement) => requirement.toString())]);
    if (byOffer.has(key)) continue;
    const type = templates[index].table.names.indexOf(offer.instanceType);
    const assumed = solved.groups[index].find(({ has }) => has(type))?.overhead ?? new Map();
    const node = unregisteredNode(claim.id, templates[index], offer, claim, 0);
    const { remaining } = views.get(node);
    const isLarger = [...assumed].some(
      ([resource, amount]) => (remaining.get(resource) ?? 0n) > (node.allocatable.get(resource) ?? 0n) - amount,
    );
    byOffer.set(key, isLarger ? [remaining] : []);
  }
  return [...byOffer.values()].flat();
}
