import { DEFAULT_NODE_CLASS, OfferingKey } from '../../../catalog';
import { Label, RequirementSpec } from '../../../model';
import { NodePoolSpec, ScheduleInput, withoutReplicas } from '../../../scheduling';
import { Cluster } from '../../cluster';

type Scheduling = Cluster['scheduling'];
type NodePools = ScheduleInput['nodePools'];
type NodeClasses = Scheduling['nodeClasses'];
type Pools = Pick<ScheduleInput, 'nodePools' | 'nodeClasses'>;

/** A NodePool that launches nothing. */
const PLACEHOLDER_POOL: NodePoolSpec = {
  name: '',
  weight: 0,
  nodeClass: DEFAULT_NODE_CLASS.name,
  labels: {},
  requirements: [],
  taints: [],
  replicas: 0,
  limits: new Map(),
};
const PLACEHOLDER: Pools = {
  nodePools: [PLACEHOLDER_POOL],
  nodeClasses: new Map([[DEFAULT_NODE_CLASS.name, DEFAULT_NODE_CLASS]]),
};

/**
 * Variants of the scheduling input: without a zone, without offerings, with other NodePools. Equal variants are the
 * same object in all scenarios of a cluster, because the solver recognizes its inputs by their identity.
 */
export class SchedulingVariants {
  private readonly poolsByZone = new WeakMap<NodePools, Map<string, NodePools>>();
  private readonly reducedClasses = new WeakMap<NodeClasses, Map<string, NodeClasses>>();
  /** For each result of `withoutOfferings`, the classes that it was made from. */
  private readonly fullClasses = new WeakMap<NodeClasses, NodeClasses>();
  private readonly inputs = new WeakMap<Scheduling, Map<NodePools, Scheduling>>();

  /** The NodePools, restricted to other zones. */
  public poolsOutside(zone: string, pools: NodePools): NodePools {
    const variants = this.poolsByZone.get(pools) ?? new Map<string, NodePools>();
    this.poolsByZone.set(pools, variants);
    const requirement: RequirementSpec = { key: Label.ZONE, operator: 'NotIn', values: [zone] };
    const variant =
      variants.get(zone) ?? pools.map((pool) => ({ ...pool, requirements: [...pool.requirements, requirement] }));
    variants.set(zone, variant);
    return variant;
  }

  /** The node classes without offerings that are currently unavailable. */
  public withoutOfferings(unavailable: readonly OfferingKey[], classes: NodeClasses): NodeClasses {
    if (unavailable.length === 0) return classes;
    const variants = this.reducedClasses.get(classes) ?? new Map<string, NodeClasses>();
    this.reducedClasses.set(classes, variants);
    const key = JSON.stringify(unavailable);
    const variant =
      variants.get(key) ?? new Map([...classes].map(([name, facts]) => [name, { ...facts, unavailable }]));
    variants.set(key, variant);
    this.fullClasses.set(variant, classes);
    return variant;
  }

  /** The node classes that a result of `withoutOfferings` was made from. */
  public withAllOfferings(classes: NodeClasses): NodeClasses {
    return this.fullClasses.get(classes) ?? classes;
  }

  /**
   * The input for pending pods, with these NodePools in place of its own. If no NodePool can be used, Kubernetes still
   * binds pods to existing nodes; a placeholder pool that launches nothing lets the solver do the same.
   */
  public withPools(scheduling: Scheduling, nodePools: NodePools): Scheduling {
    const variants = this.inputs.get(scheduling) ?? new Map<NodePools, Scheduling>();
    this.inputs.set(scheduling, variants);
    const variant = variants.get(nodePools) ?? {
      ...scheduling,
      ...withUsablePool({ nodePools: nodePools.map(withoutReplicas), nodeClasses: scheduling.nodeClasses }),
    };
    variants.set(nodePools, variant);
    return variant;
  }
}

function withUsablePool({ nodePools, nodeClasses }: Pools): Pools {
  return nodePools.some(({ nodeClass }) => nodeClasses.has(nodeClass)) ? { nodePools, nodeClasses } : PLACEHOLDER;
}
