import { Catalog } from '../../catalog';
import { PackerLimitError, PackerProblem, PackerSolution, QuestionPart, StandingPacker, StandingPart } from '../../kernel';
import { Label } from '../../model';
import { admit } from '../admission';
import { Solved } from '../attempt';
import { ClaimKinds } from '../claim-kind';
import { SharedClaims } from '../claims-in-common';
import { daemonGroups } from '../daemon-groups';
import { daemonOverheads, ofGroups } from '../daemon-overheads';
import { relaxedByPools } from '../daemon-terms';
import { limitsLeft } from '../existing-nodes';
import { LaunchPricing } from '../launch-options';
import { nodeClaims } from '../node-claims';
import { areTold, encodeLimits, encodePools, viewsOf } from '../pool-encoder';
import { EncodedProblem, encodeProblem, fallsBack, sizeRanks, Workload } from '../problem';
import { ExistingNode, ScheduleInput } from '../schedule-input';
import { SolvedInput, workloadOf } from '../solve';
import { isStatic } from '../static-pools';
import { PoolTemplate, templatesOf } from '../templates';
import { encodePlanes } from '../view-encoder';
import { KnownPods, representatives } from './known-pods';
import { countWidths } from './node-columns';
import { NodeRows } from './node-rows';
import { NodeTable, TabledNodes } from './node-table';
import { NodeTables, Placer } from './node-tables';
import { MorePods, NodeGone, PodsOfNodesGone, steadyClasses } from './nodes-gone';
import { offeredDomains } from './offered-domains';
import { differInOfferings } from './offerings-alone';
import { AllPosedPods, PosedPods } from './posed-pods';
import { QueueMarks } from './queue-marks';

/** What is encoded. Problems that differ in pools alone share what is of pods and nodes. */
interface Parts {
  readonly workload: Workload;
  readonly encoded: EncodedProblem;
  readonly ranks: Int32Array;
  readonly pods: KnownPods;
  readonly posedPods: AllPosedPods;
  readonly rows: NodeRows;
  readonly nodes: NodeTables;
  /** Per topology group 1 where it is of anti-affinity seen from the pods that it keeps away. */
  readonly inverse: Uint8Array;
}

/** A question in the terms of what is encoded. */
interface Posed extends Pick<PosedPods, 'admission' | 'queue' | 'active'> {
  readonly workload: Workload;
  readonly tabled: TabledNodes;
}

/** The question that variations are of, answered. */
interface Marked {
  readonly version: number;
  readonly runs: Int32Array;
  readonly limits: EncodedLimits;
  readonly reservedFallback: number;
  readonly marks: QueueMarks;
}

type EncodedLimits = ReturnType<typeof encodeLimits>;

/** Bytes: beyond these a packer has gathered more than it is worth. */
const MOST_MEMORY = 64 * 2 ** 20;

/**
 * What questions about one cluster have in common, encoded once: pools, instance types, the kinds of pods, and each node as long as it
 * stays as it is. A question adds which nodes there are and which pods wait.
 */
export class StandingProblem {
  /** Undefined where questions about the input have to be asked one by one. */
  static of(input: ScheduleInput, catalog: Catalog): StandingProblem | undefined {
    const { nodes = [] } = input;
    const pods = representatives(nodes, input.pods);
    const all = { ...input, pods };
    const { indices, bystanders } = admit(all);
    const sharedClaims = new SharedClaims(input.pods, nodes);
    const isBeyond = bystanders.length > 0 || sharedClaims.count > 0;
    if (isBeyond || input.nodePools.some((pool) => isStatic(pool) && pool.replicas !== 0)) return undefined;
    const templates = templatesOf(input, catalog);
    const workload = workloadOf(all, templates, { indices, bystanders }, sharedClaims);
    return templates.length === 0 || !workload.pods.topologies.isOrderly ? undefined : new StandingProblem(encode(workload, nodes));
  }

  private readonly pricing = new LaunchPricing();
  private standing: StandingPart;
  private packer?: StandingPacker;
  private goneNodes?: { readonly isSteady: Uint8Array; readonly pods: PodsOfNodesGone };
  private marked?: Marked;
  private encodedLimits?: { readonly of: readonly PoolTemplate[]; readonly limits: EncodedLimits };
  private fromTemplates?: Pick<Solved, 'groups' | 'overheads'> & { readonly kinds: ClaimKinds };

  private constructor(private readonly parts: Parts) {
    this.standing = standingPart(parts.encoded.problem);
  }

  /**
   * The same where pools launch others than these do, as in fewer zones, or when some offerings are not tried for some time; undefined where
   * more is different, or there are pods or nodes of a kind that was not encoded.
   *
   * @param input its pools have the same taints
   */
  withPools(input: ScheduleInput, catalog: Catalog): StandingProblem | undefined {
    const { workload, encoded, posedPods, rows, nodes } = this.parts;
    const { daemonSets, relaxedDaemonSets, settings } = workload;
    const templates = templatesOf(input, catalog);
    if (templates.length !== workload.templates.length) return undefined;
    if (posedPods.of(input) === undefined || input.nodes?.some((node) => rows.of(node) === undefined)) return undefined;
    const relaxed = relaxedByPools(daemonSets, templates, settings);
    if (relaxed.some((daemonSet, at) => daemonSet !== relaxedDaemonSets[at])) return undefined;
    const isOfferings = differInOfferings(workload.templates, templates);
    if (!isOfferings && !areTold(templates, encoded)) return undefined;
    const offered = isOfferings ? undefined : offeredDomains(encoded, workload.pods, templates);
    const pools = isOfferings ? encodePlanes(viewsOf(templates), encoded.vocabulary) : encodePools(templates, encoded);
    return new StandingProblem({
      ...this.parts,
      workload: { ...workload, templates },
      encoded: { ...encoded, problem: { ...encoded.problem, ...pools } },
      nodes: offered ? nodes.with(offered) : nodes,
    });
  }

  /** Undefined where there are pods or nodes of a kind that was not encoded, or too many for the kernel. */
  solve(input: ScheduleInput, placer: Placer): SolvedInput | undefined {
    const posed = this.pose(input, placer);
    const solution = posed && this.asked(posed.workload, (packer) => packer.pack(this.question(posed), true));
    if (solution === undefined) return undefined;
    const { admission, workload, tabled: { views } } = posed!;
    const { kinds, groups, overheads } = this.ofTemplates(solution);
    const { vocabulary } = this.parts.encoded;
    const { templates, relaxedDaemonSets: daemonSets, settings } = workload;
    const solved: Solved = { templates, nodes: views, pods: workload.pods, solution, vocabulary, daemonSets, settings, groups, overheads };
    const final = nodeClaims(workload, solved, kinds, input.claimsBefore);
    const { indices, ignored, notEvaluated } = admission;
    return { indices, ignored, notEvaluated, workload, solved, final, pricing: this.pricing, isBeyondBounds: false, staticNodes: [] };
  }

  /**
   * Per node of the input, were it gone and its pods waited with the others, whether one of these surely ends on a node that is not up yet.
   * Where that cannot be told without solving it is false.
   */
  endOnNodesNotUp(input: ScheduleInput, gone: readonly NodeGone[]): boolean[] {
    const nothing = gone.map(() => false);
    const posed = this.pose(input, 'Karpenter');
    const { nodes } = this.parts;
    const { isSteady, pods } = this.ofNodesGone();
    if (posed === undefined || isOutOfNodes(posed.workload.templates)) return nothing;
    if (posed.workload.pods.classOf.some((podClass) => isSteady[podClass] === 0)) return nothing;
    const { workload } = posed;
    const more = gone.map((each) => pods.of(each, input));
    const question = this.question(posed, more);
    return this.asked(workload, (packer) => {
      const marks = this.marks(posed, packer);
      const most = more.reduce((count, each) => Math.max(count, each?.count ?? 0), 0);
      const inCommon = { morePods: BigInt(most), firstMoreGroup: posed.admission.indices.length, firstNodeNotUp: marks.firstNodeNotUp };
      const told = packer.endOnNodesNotUp(question, inCommon, marks.variations(gone, more, nodes, input.nodes!));
      return Array.from(told, (answer) => answer === 1);
    }) ?? nothing;
  }

  /** The same while of nodes and pods nothing changes that decides where pods go. */
  private marks(posed: Posed, packer: StandingPacker): QueueMarks {
    const { workload, queue: { runs }, admission: { indices }, tabled: { views, version } } = posed;
    const limits = this.limits(workload.templates);
    const known = this.marked;
    const reservedFallback = fallsBack(workload.settings);
    const isKnown = known?.version === version && known.limits === limits && known.reservedFallback === reservedFallback;
    if (isKnown && areEqual(known.runs, runs)) return known.marks;
    const { ranks, workload: { pods: { classes, topologies } } } = this.parts;
    // Groups that but the others bring in constrain none of these.
    const question = this.question(posed);
    const marks = new QueueMarks({
      question, placements: packer.placements(question), classes, ranks, indices, topologyGroups: topologies.groups.length, views,
    });
    this.marked = { version, runs, limits, reservedFallback, marks };
    return marks;
  }

  private ofNodesGone() {
    if (this.goneNodes === undefined) {
      const { ranks, pods, workload: { pods: { classes } } } = this.parts;
      const isSteady = steadyClasses(classes);
      this.goneNodes = { isSteady, pods: new PodsOfNodesGone(pods, classes, isSteady, ranks) };
    }
    return this.goneNodes;
  }

  private pose(input: ScheduleInput, placer: Placer): Posed | undefined {
    const { nodes = [] } = input;
    const pods = this.parts.posedPods.of(input);
    const tabled = pods && this.parts.nodes.of(nodes, placer);
    if (tabled === undefined) return undefined;
    const { admission, groups, classOf, queue, active } = pods!;
    const { daemonSets, relaxedDaemonSets, pods: { classes, topologies, sharedClaims } } = this.parts.workload;
    const workload: Workload = {
      templates: this.templates(input),
      daemonSets,
      relaxedDaemonSets,
      nodes: tabled.views,
      groups,
      pods: { classes, classOf, topologies, sharedClaims },
      settings: input.settings,
    };
    return { admission, queue, active, workload, tabled };
  }

  private templates({ nodes = [] }: ScheduleInput): readonly PoolTemplate[] {
    const { templates } = this.parts.workload;
    // Where all pools are static they stand as full, whatever nodes there are.
    if (templates.every(({ pool }) => pool.limits.size === 0 || isStatic(pool))) return templates;
    return templates.map((template) => ({ ...template, limitsLeft: limitsLeft(template.pool, nodes) }));
  }

  /** Undefined where it is too much for the kernel. */
  private asked<Answer>(workload: Workload, ask: (packer: StandingPacker) => Answer): Answer | undefined {
    try {
      return ask(this.currentPacker(workload));
    } catch (error) {
      this.packer = undefined;
      if (error instanceof PackerLimitError) return undefined;
      throw error;
    }
  }

  private currentPacker({ settings }: Workload): StandingPacker {
    const { sets, vocabulary } = this.parts.encoded;
    // Nodes that came later may have brought new ones.
    if (sets.count > this.standing.givenSets) {
      this.standing = { ...this.standing, ...sets.encode(vocabulary.wordStarts()) };
      this.packer = undefined;
    }
    if (this.packer === undefined || this.packer.memoryBytes > MOST_MEMORY) this.packer = new StandingPacker(this.standing, settings.solverBounds);
    return this.packer;
  }

  /** @param more pods that may come in */
  private question({ workload, active, queue, tabled: { part } }: Posed, more: ReadonlyArray<MorePods | undefined> = []): QuestionPart {
    const { runCount, runs } = queue;
    const { templates } = workload;
    const { templateNodes, limitCount, limitRemaining } = this.limits(templates);
    const { nodeCount, nodeSet, nodeTaintSet, nodeUsable, nodeRemaining, nodePorts, topologyDomains, topologyInitial, hostInitial } = part;
    const topologyActive = active.slice();
    for (const each of more) for (const group of each?.topologies ?? []) topologyActive[group] = 1;
    // Asked thousands of times: spreading objects would take longer than all else here.
    const question: QuestionPart & Pick<StandingPart, 'limitCount'> = {
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
      reservedFallback: fallsBack(workload.settings),
    };
    return question;
  }

  /** The same as long as the templates are. */
  private limits(templates: readonly PoolTemplate[]): EncodedLimits {
    this.encodedLimits = this.encodedLimits?.of === templates ? this.encodedLimits : { of: templates, limits: encodeLimits(templates) };
    return this.encodedLimits.limits;
  }

  /** The same for all questions. */
  private ofTemplates(solution: PackerSolution) {
    const { templates, daemonSets, relaxedDaemonSets, settings } = this.parts.workload;
    if (this.fromTemplates === undefined) {
      const groups = daemonGroups(solution, templates.length, daemonSets);
      const overheads = templates.map((template, at) => ofGroups(groups[at], daemonOverheads(template, template.requirements, relaxedDaemonSets)));
      this.fromTemplates = { groups, overheads, kinds: new ClaimKinds(templates, groups, this.pricing, settings) };
    }
    return this.fromTemplates;
  }
}

function encode(workload: Workload, nodes: readonly ExistingNode[]): Parts {
  const { pods: { classes, classOf, topologies }, groups, templates, relaxedDaemonSets } = workload;
  const encoded = encodeProblem(workload, true);
  const { resources, problem: { portWords } } = encoded;
  const pods = new KnownPods(topologies, nodes, groups, classOf);
  const offered = offeredDomains(encoded, workload.pods, templates);
  const hostGroups = topologies.groups.filter(({ key }) => key === Label.HOSTNAME).length;
  const rows = new NodeRows(encoded, topologies, pods, relaxedDaemonSets);
  const widths = { resources: resources.length, portWords, hostGroups, ...countWidths(encoded.problem) };
  const tables = new NodeTables(() => new NodeTable(rows, widths, offered));
  const inverse = Uint8Array.from(topologies.groups, (group) => group.inverse ? 1 : 0);
  const ranks = sizeRanks(classes);
  return { workload, encoded, ranks, pods, posedPods: new AllPosedPods({ pods, classes, ranks, inverse }), rows, nodes: tables, inverse };
}

function areEqual(numbers: Int32Array, others: Int32Array): boolean {
  return numbers === others || (numbers.length === others.length && numbers.every((each, at) => each === others[at]));
}

/** Whether a limit on nodes is used up, which one node less would change. */
function isOutOfNodes(templates: readonly PoolTemplate[]): boolean {
  return templates.some(({ pool, limitsLeft: left }) => !isStatic(pool) && (left.get('nodes') ?? 1n) <= 0n);
}

/** Without what is of the nodes and pods that it was encoded with. */
function standingPart(problem: PackerProblem): StandingPart {
  const {
    templateNodes, nodeCount, nodeSet, nodeTaintSet, nodeRemaining, nodePorts, nodeUsable, limitRemaining,
    topologyActive, topologyDomains, topologyInitial, hostInitial, runCount, runs, reservedFallback, ...standing
  } = problem;
  return standing;
}
