import { FittingChange } from './fitting-changes';
import { allPods, SelectedPods } from './pod-selection';
import type { Catalog } from '../../catalog';
import { Label } from '../../model';
import { explainPod, PodExplanation, ProvisioningPass, ScheduleInput, SchedulePlan } from '../../scheduling';
import type { RuleContext } from '../context/check-session';
import { PlacementNodeReport, PlacementPoolReport, PodPlacementReport, SettledNodeReport } from '../vocabulary/verdict';

/** Pods of one group that were scheduled the same way, and the pass in which they got their node or were rejected. */
export interface SimilarPods extends SelectedPods {
  readonly pass: ProvisioningPass;
  /** How many of the pods are on another node than the first one. */
  readonly elsewhere: number;
}

/** Finds out in which pass each pod got its node. It owns the indexes of the passes. */
export class PlacementHistory {
  private readonly pending = new Map<ProvisioningPass, Map<number, ReadonlySet<string>>>();
  private readonly nodes = new Map<ProvisioningPass, ReadonlyMap<string, string>>();

  private readonly existing: ReadonlySet<string>;

  public constructor(private readonly passes: readonly ProvisioningPass[]) {
    this.existing = new Set(passes[0].input.nodes?.map(({ name }) => name));
  }

  /**
   * The report with what earlier passes did: they, or a static NodePool, may have launched its node. For a pod without
   * a node, they placed pods and launched nodes that it cannot join.
   */
  public withEarlierPasses(report: PodPlacementReport, pass: ProvisioningPass): PodPlacementReport {
    const { outcome, node, placedPods, openNodeClaims } = report;
    if (node !== null) {
      const isPlanned = outcome === 'existing-node' && !this.existing.has(node.name);
      return isPlanned ? { ...report, node: { ...node, isPlanned } } : report;
    }
    if (outcome !== 'unschedulable') return report;
    const earlier = this.passes.slice(0, this.passes.indexOf(pass));
    return {
      ...report,
      placedPods: earlier.reduce((sum, { plan }) => sum + placedPodsOf(plan), placedPods),
      openNodeClaims: earlier.reduce((sum, { plan }) => sum + plan.nodeClaims.length, openNodeClaims),
    };
  }

  /** Groups the pods by how they were scheduled, so that one report explains each group. */
  public similarPods(selected: SelectedPods): SimilarPods[] {
    const podsOfPass = new Map<ProvisioningPass, string[]>();
    for (const pod of selected.pods) {
      const pass = this.decisivePass(selected.group, pod);
      if (pass) podsOfPass.set(pass, [...(podsOfPass.get(pass) ?? []), pod]);
    }
    return this.passes.flatMap((pass) =>
      podsOfPass.has(pass) ? this.byOutcome(pass, { ...selected, pods: podsOfPass.get(pass)! }) : [],
    );
  }

  /**
   * The pass that explains where a pod ends. A pod is scheduled again in each pass until its node is up, so this is the
   * first pass that chose its final node. For a pod without a node, it is the last pass, as in the verdict.
   */
  private decisivePass(group: number, pod: string): ProvisioningPass | undefined {
    const passes = this.passes.filter((pass) => this.pendingPods(pass, group).has(pod));
    const last = passes[passes.length - 1];
    const node = last && this.nodesByPod(last).get(pod);
    if (node === undefined) return last;
    return passes.find((pass) => this.nodesByPod(pass).get(pod) === node);
  }

  private byOutcome(pass: ProvisioningPass, { group, pods }: SelectedPods): SimilarPods[] {
    const selected = new Set(pods);
    const nodes = this.nodesByPod(pass);
    const claimOutcomes = new Map<string, string>();
    for (const claim of pass.solved.final.claims) {
      claim.pods.forEach((pod, index) => {
        if (selected.has(pod)) claimOutcomes.set(pod, `${claim.nodePool} ${index === 0 ? 'opens' : 'joins'}`);
      });
    }
    const podsByOutcome = new Map<string, string[]>();
    for (const pod of pods) {
      const outcome = claimOutcomes.get(pod) ?? (nodes.has(pod) ? 'existing node' : 'no node');
      podsByOutcome.set(outcome, [...(podsByOutcome.get(outcome) ?? []), pod]);
    }
    return [...podsByOutcome.values()].map((members) => ({
      group,
      pods: members,
      pass,
      elsewhere: members.filter((pod) => nodes.get(pod) !== nodes.get(members[0])).length,
    }));
  }

  private pendingPods(pass: ProvisioningPass, group: number): ReadonlySet<string> {
    const byGroup = this.pending.get(pass) ?? new Map<number, ReadonlySet<string>>();
    this.pending.set(pass, byGroup);
    const pods = byGroup.get(group) ?? new Set(allPods(pass.input.pods[group]));
    byGroup.set(group, pods);
    return pods;
  }

  private nodesByPod(pass: ProvisioningPass): ReadonlyMap<string, string> {
    const cached = this.nodes.get(pass);
    if (cached) return cached;
    const {
      plan: { nodeClaims, filledNodes },
    } = pass;
    const placements = [
      ...nodeClaims.map(({ id, pods }) => [id, pods] as const),
      ...filledNodes.map(({ node, pods }) => [node, pods] as const),
    ];
    const nodes = new Map(placements.flatMap(([node, pods]) => pods.map((pod) => [pod, node] as const)));
    this.nodes.set(pass, nodes);
    return nodes;
  }
}

function placedPodsOf({ nodeClaims, filledNodes }: ProvisioningPass['plan']): number {
  return [...nodeClaims, ...filledNodes].reduce((sum, { pods }) => sum + pods.length, 0);
}

export function placementReport(
  explanation: PodExplanation,
  { pods: [, ...alike], elsewhere }: Pick<SimilarPods, 'pods' | 'elsewhere'>,
  change?: FittingChange,
): PodPlacementReport {
  const { pod, position, placedPods, openNodeClaims, givenUp, nodePools, notTried } = explanation;
  return {
    pod,
    alike,
    alikeElsewhere: elsewhere,
    outcome: outcomeOf(explanation),
    position: position ?? null,
    placedPods,
    openNodeClaims,
    givenUp,
    node: nodeReport(explanation),
    nodePools: [
      ...unreadyPoolReport(change),
      ...nodePools
        .filter(({ nodePool }) => change?.waitsFor?.remedy !== undefined || nodePool !== change?.waitsFor?.name)
        .map(({ nodePool, weight, outcome, message, diagnosis, elimination }) => ({
          nodePool,
          weight,
          outcome,
          message: message ?? null,
          diagnosis: diagnosis ?? null,
          elimination,
        })),
    ],
    notTried: notTried ?? null,
    smallestChange: change?.description ?? null,
    changesTried: change?.tried ?? 0,
  };
}

/** The NodePool that the pod waits for. */
function unreadyPoolReport(change: FittingChange | undefined): PlacementPoolReport[] {
  if (change?.waitsFor === undefined || change.waitsFor.remedy !== undefined) return [];
  const {
    name,
    why,
    repaired: { weight },
  } = change.waitsFor;
  return [
    {
      nodePool: name,
      weight,
      outcome: 'refuses',
      message: `the NodePool launches no nodes: ${why}`,
      diagnosis: null,
      elimination: [],
    },
  ];
}

function outcomeOf({ node, nodePools }: PodExplanation): PodPlacementReport['outcome'] {
  if (node === undefined) return nodePools.length === 0 ? 'not-tried' : 'unschedulable';
  return (
    {
      'new NodeClaim': 'new-node-claim',
      'open NodeClaim': 'open-node-claim',
      'existing node': 'existing-node',
    } as const
  )[node.kind];
}

function nodeReport({ node }: PodExplanation): PlacementNodeReport | null {
  if (node === undefined) return null;
  const {
    name,
    nodePool,
    podsBefore,
    instanceTypesBefore,
    instanceTypes,
    instanceTypesInTheEnd,
    elimination,
    cheapest,
  } = node;
  return {
    name,
    nodePool: nodePool ?? null,
    podsBefore,
    instanceTypes: {
      before: instanceTypesBefore ?? null,
      withThisPod: instanceTypes ?? null,
      inTheEnd: instanceTypesInTheEnd ?? null,
    },
    elimination,
    cheapest: cheapest ?? null,
  };
}

/** The most reports in one verdict. */
const MAX_REPORTS = 50;

/** How the scheduled pods got their nodes, workload by workload. */
export function placementReports(passes: readonly ProvisioningPass[], context: RuleContext): PodPlacementReport[] {
  const reports: PodPlacementReport[] = [];
  const history = new PlacementHistory(passes);
  const pods = passes[0].input.pods.map((group, index) => ({ group: index, pods: allPods(group) }));
  for (const similar of pods.flatMap((selected) => history.similarPods(selected))) {
    if (reports.length === MAX_REPORTS) break;
    const explanation = explainPod(similar.pass.solved, similar.group, similar.pods[0]);
    if (explanation.node) reports.push(history.withEarlierPasses(placementReport(explanation, similar), similar.pass));
  }
  return pricedPlacements(withSettledNodes(reports, context), context.catalog);
}

/** The reports with the nodes on which the pods run after all passes, if these are other nodes. */
export function withSettledNodes(
  reports: readonly PodPlacementReport[],
  { settled, input }: Pick<RuleContext, 'settled' | 'input'>,
): readonly PodPlacementReport[] {
  if (settled === undefined) return reports;
  const nodes = settledNodesByPod(settled.plan, input);
  return reports.map((report) => {
    const settledNode = nodes.get(report.pod) ?? null;
    const { node } = report;
    const isSame =
      node?.name === settledNode?.name &&
      (settledNode?.offer == null || node?.cheapest?.instanceType === settledNode.offer.instanceType);
    return isSame ? report : { ...report, settledNode };
  });
}

function settledNodesByPod(
  { nodeClaims, filledNodes }: SchedulePlan,
  { nodes = [] }: ScheduleInput,
): Map<string, SettledNodeReport> {
  const pools = new Map(nodes.map(({ name, labels }) => [name, labels[Label.NODE_POOL] ?? null]));
  const placed = [
    ...nodeClaims.map(({ id, nodePool, launch, pods }) => ({
      pods,
      node: { name: id, nodePool, offer: launch?.cheapest ?? null, pods: pods.length },
    })),
    ...filledNodes.map(({ node, pods }) => ({
      pods,
      node: { name: node, nodePool: pools.get(node) ?? null, offer: null, pods: pods.length },
    })),
  ];
  return new Map(placed.flatMap(({ pods, node }) => pods.map((pod) => [pod, node] as const)));
}

/** The reports with the currency of the region. If no prices are known there, they have none. */
export function pricedPlacements(
  reports: readonly PodPlacementReport[],
  { currency, unknownPrices }: Pick<Catalog, 'currency' | 'unknownPrices'>,
): PodPlacementReport[] {
  type Priced = NonNullable<PlacementNodeReport['cheapest']>;
  const priced = (offer: Priced): Priced =>
    currency === 'USD' && unknownPrices === undefined
      ? offer
      : { ...offer, ...(unknownPrices === undefined ? { currency } : { usdPerHour: null }) };
  return reports.map((report) => {
    const { node, settledNode } = report;
    return {
      ...report,
      ...(node?.cheapest ? { node: { ...node, cheapest: priced(node.cheapest) } } : {}),
      ...(settledNode?.offer ? { settledNode: { ...settledNode, offer: priced(settledNode.offer) } } : {}),
    };
  });
}
