import { BindingParameters, QueryProblem } from '../../kernel';
import { NodeView } from '../nodes/existing-nodes';
import { countsOnNodes } from '../provisioning/node-claims';
import { FilledNode } from '../schedule-plan';

/** How many pods of each group kube-scheduler binds to a node. */
export type BoundGroups = Pick<FilledNode, 'node' | 'groups'>;

/** The resources by which kube-scheduler prefers nodes. */
const SCORED = ['cpu', 'memory'] as const;

export function bindingParameters(views: readonly NodeView[], resources: readonly string[]): BindingParameters {
  const [cpuResource, memoryResource] = SCORED.map((resource) => resources.indexOf(resource));
  const nodeAllocatable = BigInt64Array.from(
    views.flatMap(({ node: { allocatable } }) => SCORED.map((resource) => allocatable.get(resource) ?? 0n)),
  );
  return { nodeAllocatable, cpuResource, memoryResource };
}

/** The query without new nodes: kube-scheduler launches none. */
export function withoutNewNodes(query: QueryProblem): QueryProblem {
  return { ...query, templateNodes: new BigInt64Array(query.templateNodes.length) };
}

/** @param placements as the kernel returns them; @param indices per group of the kernel, its index in the input */
export function boundGroups(
  placements: Int32Array,
  indices: readonly number[],
  views: readonly NodeView[],
): BoundGroups[] {
  return countsOnNodes({ placements }, indices).map(([index, groups]) => ({ node: views[index].node.name, groups }));
}
