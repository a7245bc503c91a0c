import { bindingParameters, BoundGroups, boundGroups, withoutNewNodes } from './bindings';
import { nodeTables, NodeTableState, SchedulerName } from './node-table';
import { schedulableKinds } from './pod-kinds';
import { differOnlyInOfferings, offeredDomains } from './pool-changes';
import { QueryPods } from './query-pods';
import { encodeShared, SharedEncoding } from './shared-encoding';
import { SharedPacker } from './shared-packer';
import {
  QueuePrefix,
  RemovedNode,
  ReschedulablePodCache,
  ReschedulablePods,
  topologyStableClasses,
} from './what-if-queries';
import { Catalog } from '../../catalog';
import { IncrementalPacker, PackerSolution, QueryProblem, SharedProblem } from '../../kernel';
import { encodeOfferings } from '../encoding/instance-type-encoder';
import { canEncodePools, distinctTables, encodeLimits, encodePools } from '../encoding/pool-encoder';
import { fallbackFlag, queueInOrder, Workload } from '../encoding/problem';
import { isStatic, PodGroup, ScheduleInput } from '../input/schedule-input';
import { LaunchPricing } from '../launch/launch-pricing';
import { limitsLeft, PoolTemplate, templatesOf } from '../launch/pool-template';
import { daemonOverheadByType, daemonOverheadGroups, groupOverheadByType } from '../nodes/daemon-overhead';
import { relaxDaemonSets } from '../nodes/relaxed-daemon-sets';
import { admit } from '../pods/admission';
import { SharedVolumes } from '../pods/shared-volumes';
import { ClaimKinds } from '../provisioning/claim-kinds';
import { nodeClaims } from '../provisioning/node-claims';
import { SolvedInput, encodeWorkload } from '../provisioning/solve';
import { SolvedWorkload } from '../refusals/attempt';

/** Why a solver cannot be created for an input, or cannot answer a query. Use `solveInput` then. */
export type UnsupportedReason =
  | 'pods that are given up when their turn comes'
  | 'volumes that several pods mount'
  | 'static NodePools with replicas'
  | 'no NodePool with a node class'
  | 'topology groups that depend on the order of pods'
  | 'NodePools that differ in more than what they launch'
  | 'pods, nodes or pools that the solver was not encoded with'
  | 'a query beyond the bounds of the kernel';

export interface Unsupported {
  readonly kind: 'unsupported';
  readonly reason: UnsupportedReason;
}

export type CreateResult = { readonly kind: 'created'; readonly solver: IncrementalSolver } | Unsupported;
export type SolveResult = { readonly kind: 'solved'; readonly solved: SolvedInput } | Unsupported;

/** An encoded query. */
interface Query extends Pick<QueryPods, 'admission' | 'queue' | 'active'> {
  readonly workload: Workload;
  readonly nodes: NodeTableState;
}

/** The prefix of the latest base query, and what it depends on. */
interface CachedPrefix {
  readonly version: number;
  readonly runs: Int32Array;
  readonly limits: EncodedLimits;
  readonly reservedFallback: number;
  readonly prefix: QueuePrefix;
}

type EncodedLimits = ReturnType<typeof encodeLimits>;

/**
 * Solves queries about one cluster with the same result as `solveInput`. Pools, instance types and the kinds of pods
 * are encoded once, and each node for as long as its object lives. A query adds which nodes there are and which pods
 * are pending.
 */
export class IncrementalSolver {
  /** @param earlier kinds of pods that later queries may have, although this input has none of them */
  public static create(input: ScheduleInput, catalog: Catalog, earlier: readonly PodGroup[] = []): CreateResult {
    const { nodes = [] } = input;
    const pods = schedulableKinds(nodes, input.pods, earlier);
    const everyKind = { ...input, pods };
    const { indices, unscheduledPods } = admit(everyKind);
    const sharedVolumes = new SharedVolumes(input.pods, nodes);
    if (unscheduledPods.length > 0) return unsupported('pods that are given up when their turn comes');
    if (sharedVolumes.count > 0) return unsupported('volumes that several pods mount');
    if (input.nodePools.some((pool) => isStatic(pool) && pool.replicas !== 0))
      return unsupported('static NodePools with replicas');
    const templates = templatesOf(input, catalog);
    const workload = encodeWorkload(everyKind, templates, { indices, unscheduledPods }, sharedVolumes);
    if (templates.length === 0) return unsupported('no NodePool with a node class');
    if (!workload.pods.topologies.isOrderIndependent)
      return unsupported('topology groups that depend on the order of pods');
    return { kind: 'created', solver: new IncrementalSolver(encodeShared(workload, nodes)) };
  }

  private readonly pricing = new LaunchPricing();
  private readonly packer: SharedPacker;
  private removals?: { readonly isTopologyStable: Uint8Array; readonly pods: ReschedulablePodCache };
  private cachedPrefix?: CachedPrefix;
  private cachedLimits?: { readonly templates: readonly PoolTemplate[]; readonly limits: EncodedLimits };
  private cachedDaemons?: Pick<SolvedWorkload, 'groups' | 'overheads'> & { readonly kinds: ClaimKinds };

  private constructor(private readonly encoding: SharedEncoding) {
    this.packer = new SharedPacker(encoding.encoded);
  }

  /** One pod of each kind that queries may have. */
  public get podKinds(): readonly PodGroup[] {
    return this.encoding.workload.groups;
  }

  /**
   * A solver for pools that launch other nodes, such as nodes in fewer zones, or while some offerings are unavailable.
   * It shares the encoded pods and nodes with this one.
   *
   * @param input must have pools with the same taints, labels and limits
   */
  public withPools(input: ScheduleInput, catalog: Catalog): CreateResult {
    const { workload, encoded, queryPods, rows, tables } = this.encoding;
    const { daemonSets, relaxedDaemonSets, settings } = workload;
    const templates = templatesOf(input, catalog);
    if (templates.length !== workload.templates.length)
      return unsupported('NodePools that differ in more than what they launch');
    if (queryPods.get(input) === undefined || input.nodes?.some((node) => rows.encode(node) === undefined))
      return unsupported(UNKNOWN);
    const relaxed = relaxDaemonSets(daemonSets, templates, settings);
    if (relaxed.some((daemonSet, index) => daemonSet !== relaxedDaemonSets[index])) {
      return unsupported('NodePools that differ in more than what they launch');
    }
    const onlyOfferings = differOnlyInOfferings(workload.templates, templates);
    if (!onlyOfferings && !canEncodePools(templates, encoded)) return unsupported(UNKNOWN);
    const offered = onlyOfferings ? undefined : offeredDomains(encoded, workload.pods, templates);
    const pools = onlyOfferings
      ? encodeOfferings(distinctTables(templates), encoded.vocabulary)
      : encodePools(templates, encoded);
    const solver = new IncrementalSolver({
      ...this.encoding,
      workload: { ...workload, templates },
      encoded: { ...encoded, problem: { ...encoded.problem, ...pools } },
      tables: offered ? nodeTables((scheduler) => tables[scheduler].withOfferedDomains(offered)) : tables,
    });
    return { kind: 'created', solver };
  }

  public solve(input: ScheduleInput, scheduler: SchedulerName): SolveResult {
    const query = this.encodeQuery(input, scheduler);
    if (query === undefined) return unsupported(UNKNOWN);
    const solution = this.packer.use(query.workload.settings, (packer) => packer.pack(this.queryProblem(query), true));
    if (solution === undefined) return unsupported('a query beyond the bounds of the kernel');
    const {
      admission: { indices, ignored, notEvaluated },
      workload,
      nodes: { views },
    } = query;
    const { kinds, groups, overheads } = this.daemons(solution);
    const { vocabulary } = this.encoding.encoded;
    const { templates, relaxedDaemonSets: daemonSets, settings } = workload;
    const solved: SolvedWorkload = {
      templates,
      nodes: views,
      pods: workload.pods,
      solution,
      vocabulary,
      daemonSets,
      settings,
      groups,
      overheads,
    };
    const final = nodeClaims(workload, solved, kinds, input.existingClaimCounts);
    return {
      kind: 'solved',
      solved: {
        indices,
        ignored,
        notEvaluated,
        workload,
        solved,
        final,
        pricing: this.pricing,
        isBeyondBounds: false,
        staticNodes: [],
      },
    };
  }

  /**
   * Pod counts by node if kube-scheduler binds the pods to these nodes, in the order of the groups; undefined if the
   * solver cannot tell.
   */
  public bind(input: ScheduleInput): BoundGroups[] | undefined {
    const query = this.encodeQuery(input, 'Kubernetes');
    if (query === undefined) return undefined;
    const {
      admission: { indices },
      workload: {
        settings,
        pods: { classOf },
      },
      nodes: { views },
    } = query;
    const queue = queueInOrder(query.workload.groups, classOf, new Int32Array(this.encoding.ranks.length));
    const problem = this.queryProblem({ ...query, queue });
    const placements = this.packer.use(settings, (packer) =>
      packer.bindings(withoutNewNodes(problem), bindingParameters(views, this.encoding.encoded.resources)),
    );
    return placements && boundGroups(placements, indices, views);
  }

  /**
   * Per what-if query: whether a pod of the removed node is certain to end on a node that is not initialized. `false`
   * if the solver cannot tell without solving the query by itself.
   *
   * @param input the base query, with all nodes
   */
  public wouldUseUninitializedNodes(input: ScheduleInput, removedNodes: readonly RemovedNode[]): boolean[] {
    const cannotTell = removedNodes.map(() => false);
    const query = this.encodeQuery(input, 'Karpenter');
    const { isTopologyStable, pods } = this.removalCaches();
    if (query === undefined || isNodeLimitReached(query.workload.templates)) return cannotTell;
    if (query.workload.pods.classOf.some((podClass) => isTopologyStable[podClass] === 0)) return cannotTell;
    const added = removedNodes.map((removed) => pods.get(removed, input));
    const problem = this.queryProblem(query, added);
    return (
      this.packer.use(query.workload.settings, (packer) => {
        const prefix = this.queuePrefix(query, packer);
        const maxAddedPods = added.reduce((count, addedPods) => Math.max(count, addedPods?.count ?? 0), 0);
        const { firstUninitializedNode } = prefix;
        const parameters = {
          maxAddedPods: BigInt(maxAddedPods),
          firstAddedGroup: query.admission.indices.length,
          firstUninitializedNode,
        };
        const queries = prefix.encode(removedNodes, added, this.encoding.tables.Karpenter, input.nodes!);
        const answers = packer.wouldUseUninitializedNodes(problem, parameters, queries);
        return Array.from(answers, (answer) => answer === 1);
      }) ?? cannotTell
    );
  }

  /** The prefix is reused while nothing changes that the placement of the pending pods depends on. */
  private queuePrefix(query: Query, packer: IncrementalPacker): QueuePrefix {
    const {
      workload,
      queue: { runs },
      admission: { indices },
      nodes: { views, version },
    } = query;
    const limits = this.limits(workload.templates);
    const reservedFallback = fallbackFlag(workload.settings);
    const cached = this.cachedPrefix;
    const isCurrent =
      cached?.version === version && cached.limits === limits && cached.reservedFallback === reservedFallback;
    if (isCurrent && areEqual(cached.runs, runs)) return cached.prefix;
    const {
      ranks,
      workload: {
        pods: { classes, topologies },
      },
    } = this.encoding;
    // Topology groups that only pods of removed nodes add do not constrain the pending pods, so they are not active
    // here.
    const problem = this.queryProblem(query);
    const prefix = new QueuePrefix({
      query: problem,
      placements: packer.placements(problem),
      classes,
      ranks,
      indices,
      topologyGroups: topologies.groups.length,
      views,
    });
    this.cachedPrefix = { version, runs, limits, reservedFallback, prefix };
    return prefix;
  }

  private removalCaches() {
    if (this.removals === undefined) {
      const {
        ranks,
        kinds,
        workload: {
          pods: { classes },
        },
      } = this.encoding;
      const isTopologyStable = topologyStableClasses(classes);
      this.removals = { isTopologyStable, pods: new ReschedulablePodCache(kinds, classes, isTopologyStable, ranks) };
    }
    return this.removals;
  }

  private encodeQuery(input: ScheduleInput, scheduler: SchedulerName): Query | undefined {
    const { nodes = [] } = input;
    const pods = this.encoding.queryPods.get(input);
    const state = pods && this.encoding.tables[scheduler].update(nodes);
    if (state === undefined) return undefined;
    const { admission, groups, classOf, queue, active } = pods!;
    const {
      daemonSets,
      relaxedDaemonSets,
      pods: { classes, topologies, sharedVolumes },
    } = this.encoding.workload;
    const workload: Workload = {
      templates: this.templates(input),
      daemonSets,
      relaxedDaemonSets,
      nodes: state.views,
      groups,
      pods: { classes, classOf, topologies, sharedVolumes },
      settings: input.settings,
    };
    return { admission, queue, active, workload, nodes: state };
  }

  private templates({ nodes = [] }: ScheduleInput): readonly PoolTemplate[] {
    const { templates } = this.encoding.workload;
    // If all pools are static, their templates have no nodes left, regardless of the nodes in the input.
    if (templates.every(({ pool }) => pool.limits.size === 0 || isStatic(pool))) return templates;
    return templates.map((template) => ({ ...template, limitsLeft: limitsLeft(template.pool, nodes) }));
  }

  /** @param added pods of what-if queries, whose topology groups become active as well */
  private queryProblem(
    { workload, active, queue, nodes: { queryNodes } }: Query,
    added: ReadonlyArray<ReschedulablePods | undefined> = [],
  ): QueryProblem {
    const { runCount, runs } = queue;
    const { templates } = workload;
    const { templateNodes, limitCount, limitRemaining } = this.limits(templates);
    const {
      nodeCount,
      nodeSet,
      nodeTaintSet,
      nodeUsable,
      nodeRemaining,
      nodePorts,
      topologyDomains,
      topologyInitial,
      hostInitial,
    } = queryNodes;
    const topologyActive = active.slice();
    for (const pods of added) for (const group of pods?.topologies ?? []) topologyActive[group] = 1;
    // Hot path: spreading objects would take longer than everything else here.
    const problem: QueryProblem & Pick<SharedProblem, 'limitCount'> = {
      templateNodes,
      limitCount,
      limitRemaining,
      nodeCount,
      nodeSet,
      nodeTaintSet,
      nodeRemaining,
      nodePorts,
      nodeUsable,
      topologyActive,
      topologyDomains,
      topologyInitial,
      hostInitial,
      runCount,
      runs,
      reservedFallback: fallbackFlag(workload.settings),
      tieSeed: workload.settings.tieSeed ?? 0,
    };
    return problem;
  }

  private limits(templates: readonly PoolTemplate[]): EncodedLimits {
    if (this.cachedLimits?.templates !== templates) this.cachedLimits = { templates, limits: encodeLimits(templates) };
    return this.cachedLimits.limits;
  }

  /** DaemonSet overheads depend only on what all queries share, so the first solution determines them. */
  private daemons(solution: PackerSolution) {
    const { templates, daemonSets, relaxedDaemonSets, settings } = this.encoding.workload;
    if (this.cachedDaemons === undefined) {
      const groups = daemonOverheadGroups(solution, templates.length, daemonSets);
      const overheads = templates.map((template, index) =>
        groupOverheadByType(groups[index], daemonOverheadByType(template, template.requirements, relaxedDaemonSets)),
      );
      this.cachedDaemons = { groups, overheads, kinds: new ClaimKinds(templates, groups, this.pricing, settings) };
    }
    return this.cachedDaemons;
  }
}

const UNKNOWN: UnsupportedReason = 'pods, nodes or pools that the solver was not encoded with';

function unsupported(reason: UnsupportedReason): Unsupported {
  return { kind: 'unsupported', reason };
}

function areEqual(left: Int32Array, right: Int32Array): boolean {
  return left === right || (left.length === right.length && left.every((item, index) => item === right[index]));
}

/** Whether a pool has reached its limit on nodes. Removing a node would change that. */
function isNodeLimitReached(templates: readonly PoolTemplate[]): boolean {
  return templates.some(({ pool, limitsLeft: left }) => !isStatic(pool) && (left.get('nodes') ?? 1n) <= 0n);
}
