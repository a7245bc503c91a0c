import { Catalog } from '../../catalog';
import { PackerLimitError, PackerProblem, PackerSolution, QuestionPart, StandingPacker, StandingPart } from '../../kernel';
import { Label } from '../../model';
import { admit } from '../admission';
import { Solved } from '../attempt';
import { ClaimKinds } from '../claim-kind';
import { daemonGroups } from '../daemon-groups';
import { daemonOverheads, ofGroups } from '../daemon-overheads';
import { limitsLeft } from '../existing-nodes';
import { LaunchPricing } from '../launch-options';
import { nodeClaims } from '../node-claims';
import { EncodedProblem, encodeLimits, encodeProblem, queueInOrder, sizeRanks, Workload } from '../problem';
import { ExistingNode, ScheduleInput } from '../schedule-input';
import { SolvedInput, workloadOf } from '../solve';
import { isStatic } from '../static-pools';
import { PoolTemplate, templatesOf } from '../templates';
import { KnownPods, representatives } from './known-pods';
import { NodeRows } from './node-rows';
import { isComplete, NodePart, NodeTable } from './node-table';
import { activeGroups, offeredDomains } from './offered-domains';

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
    if (bystanders.length > 0 || input.nodePools.some((pool) => isStatic(pool) && pool.replicas !== 0)) return undefined;
    const templates = templatesOf(input, catalog);
    const workload = workloadOf(all, templates, { indices, bystanders });
    return templates.length === 0 || !workload.pods.topologies.isOrderly ? undefined : new StandingProblem(workload, nodes);
  }

  private readonly workload: Workload;
  private readonly encoded: EncodedProblem;
  private readonly ranks: Int32Array;
  private readonly pods: KnownPods;
  private readonly nodes: NodeTable;
  private readonly pricing = new LaunchPricing();
  private standing: StandingPart;
  private packer?: StandingPacker;
  private fromTemplates?: Pick<Solved, 'groups' | 'overheads'> & { readonly kinds: ClaimKinds };

  private constructor(workload: Workload, nodes: readonly ExistingNode[]) {
    const { pods: { classes, classOf, topologies }, groups, templates } = workload;
    this.workload = workload;
    this.encoded = encodeProblem(workload);
    this.standing = standingPart(this.encoded.problem);
    this.ranks = sizeRanks(classes);
    this.pods = new KnownPods(topologies, nodes, groups, classOf);
    const { resources, problem: { portWords } } = this.encoded;
    const offered = offeredDomains(this.encoded, workload.pods, templates);
    const hostGroups = topologies.groups.filter(({ key }) => key === Label.HOSTNAME).length;
    const rows = new NodeRows(this.encoded, topologies, this.pods);
    this.nodes = new NodeTable(rows, workload.relaxedDaemonSets, resources.length, portWords, offered, hostGroups);
  }

  /** Undefined where there are pods or nodes of a kind that was not encoded, or too many for the kernel. */
  solve(input: ScheduleInput): SolvedInput | undefined {
    const { nodes = [], pods } = input;
    const admission = admit(input);
    const groups = admission.indices.map((index) => pods[index]);
    const classOf = groups.map((group) => this.pods.classOf(group));
    if (admission.bystanders.length > 0 || !isComplete(classOf)) return undefined;
    const tabled = this.nodes.of(nodes);
    if (tabled === undefined) return undefined;
    const { views } = tabled;
    const workload: Workload = { ...this.workload, templates: this.templates(input), nodes: views, groups, pods: { ...this.workload.pods, classOf } };
    const solution = this.pack(workload, tabled.part);
    if (solution === undefined) return undefined;
    const { kinds, ...ofTemplates } = this.ofTemplates(solution);
    const { vocabulary } = this.encoded;
    const { templates, relaxedDaemonSets: daemonSets, settings } = workload;
    const solved: Solved = { templates, nodes: views, pods: workload.pods, solution, vocabulary, daemonSets, settings, ...ofTemplates };
    const final = nodeClaims(workload, solution, kinds, input.claimsBefore);
    return { ...admission, workload, solved, final, pricing: this.pricing, isBeyondBounds: false, staticNodes: [] };
  }

  private templates({ nodes = [] }: ScheduleInput): readonly PoolTemplate[] {
    const { templates } = this.workload;
    // Where all pools are static they stand as full, whatever nodes there are.
    if (templates.every(({ pool }) => pool.limits.size === 0 || isStatic(pool))) return templates;
    return templates.map((template) => ({ ...template, limitsLeft: limitsLeft(template.pool, nodes) }));
  }

  private pack(workload: Workload, nodes: NodePart): PackerSolution | undefined {
    try {
      const packer = this.currentPacker(workload);
      return packer.pack(this.question(workload, nodes));
    } catch (error) {
      this.packer = undefined;
      if (error instanceof PackerLimitError) return undefined;
      throw error;
    }
  }

  private currentPacker({ settings }: Workload): StandingPacker {
    const { sets, vocabulary } = this.encoded;
    // Nodes that came later may have brought new ones.
    if (sets.count > this.standing.givenSets) {
      this.standing = { ...this.standing, ...sets.encode(vocabulary.wordStarts()) };
      this.packer = undefined;
    }
    if (this.packer === undefined || this.packer.memoryBytes > MOST_MEMORY) this.packer = new StandingPacker(this.standing, settings.solverBounds);
    return this.packer;
  }

  private question({ templates, groups, pods }: Workload, nodes: NodePart): QuestionPart {
    return {
      ...encodeLimits(templates),
      ...nodes,
      topologyActive: activeGroups(pods, pods.classOf),
      ...queueInOrder(groups, pods.classOf, this.ranks),
    };
  }

  /** The same for all questions. */
  private ofTemplates(solution: PackerSolution) {
    const { templates, daemonSets, relaxedDaemonSets, settings } = this.workload;
    if (this.fromTemplates === undefined) {
      const groups = daemonGroups(solution, templates.length, daemonSets);
      const overheads = templates.map((template, at) => ofGroups(groups[at], daemonOverheads(template, template.requirements, relaxedDaemonSets)));
      this.fromTemplates = { groups, overheads, kinds: new ClaimKinds(templates, groups, this.pricing, settings) };
    }
    return this.fromTemplates;
  }
}

/** Without what is of the nodes and pods that it was encoded with. */
function standingPart(problem: PackerProblem): StandingPart {
  const {
    templateNodes, nodeCount, nodeSet, nodeTaintSet, nodeRemaining, nodePorts, nodeUsable, limitRemaining,
    topologyActive, topologyDomains, topologyInitial, hostInitial, runCount, runs, ...standing
  } = problem;
  return standing;
}
