import { Cluster, Instant } from './cluster';
import { ClusterView, DisruptionContext, PassGenerator, runToCompletion } from './context';
import { drift } from './methods/drift';
import { emptiness } from './methods/emptiness';
import { multiNodeConsolidation } from './methods/multi-node-consolidation';
import { repair } from './methods/repair';
import { singleNodeConsolidation } from './methods/single-node-consolidation';
import { staticDrift } from './methods/static-drift';
import { DisruptionSession } from './session';
import { Command, DisruptionMethod, MethodOutcome } from './types';

/** In Karpenter's order. Expiration, interruption and deletion by hand are not methods: they need no decision. */
const METHODS: ReadonlyArray<readonly [DisruptionMethod, (view: ClusterView) => PassGenerator<MethodOutcome>]> = [
  ['Repair', repair],
  ['Emptiness', withoutSimulation(emptiness)],
  ['StaticDrift', withoutSimulation(staticDrift)],
  ['Drift', drift],
  ['MultiNodeConsolidation', multiNodeConsolidation],
  ['SingleNodeConsolidation', singleNodeConsolidation],
];

/** The commands of one pass of the disruption controller, and the reasons why other nodes are not disrupted. */
export interface DisruptionPass {
  /** All of one method: a pass ends with the first method that returns commands. */
  readonly commands: readonly Command[];
  /** In the order of the methods. */
  readonly refusals: ReadonlyArray<MethodOutcome['refusals'][number] & { readonly method: DisruptionMethod }>;
  /** Whether a method was skipped because the cluster is consolidated. */
  readonly hasSkippedMethods: boolean;
}

/** The methods for which the cluster is marked as consolidated, kept from pass to pass. */
export interface ConsolidatedMethods {
  isConsolidated(method: DisruptionMethod, now: Instant): boolean;
  markConsolidated(method: DisruptionMethod, now: Instant): void;
}

/**
 * One pass of Karpenter's disruption controller, which runs every 10 seconds, and again at once after a command.
 * Karpenter validates consolidation commands once more after 15 seconds (`validateCommand`), and drops them if the
 * cluster has changed.
 *
 * @param methods the methods to run; all by default
 * @param session shared with other passes over the same cluster
 * @throws PackerLimitError if the pools alone exceed the limits of the solver
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/controller.go
 */
export function disruptionPass(
  cluster: Cluster,
  now: Instant,
  methods?: readonly DisruptionMethod[],
  session?: DisruptionSession,
): DisruptionPass {
  return runToCompletion((view) => disruptionPassSteps(view, methods), new DisruptionContext(cluster, now, session));
}

/** The same pass as a generator, which yields after each simulation. */
export function* disruptionPassSteps(
  view: ClusterView,
  methods?: readonly DisruptionMethod[],
  consolidated?: ConsolidatedMethods,
): PassGenerator<DisruptionPass> {
  const outcomes: Array<readonly [DisruptionMethod, MethodOutcome]> = [];
  let hasSkippedMethods = false;
  for (const [method, computeCommands] of METHODS.filter(([name]) => methods?.includes(name) ?? true)) {
    if (consolidated?.isConsolidated(method, view.now)) {
      hasSkippedMethods = true;
      continue;
    }
    const outcome = yield* computeCommands(view);
    if (outcome.isConsolidated) consolidated?.markConsolidated(method, view.now);
    outcomes.push([method, outcome]);
    if (outcome.commands.length > 0) return new LazyPass(outcome.commands, outcomes, hasSkippedMethods);
  }
  return new LazyPass([], outcomes, hasSkippedMethods);
}

/** Collects the refusals on demand: few passes with commands have their refusals read. */
class LazyPass implements DisruptionPass {
  private collected?: DisruptionPass['refusals'];

  public constructor(
    public readonly commands: readonly Command[],
    private readonly outcomes: ReadonlyArray<readonly [DisruptionMethod, MethodOutcome]>,
    public readonly hasSkippedMethods: boolean,
  ) {}

  public get refusals(): DisruptionPass['refusals'] {
    return (this.collected ??= this.outcomes.flatMap(([method, outcome]) => refusalsOf(method, outcome)));
  }
}

function refusalsOf(method: DisruptionMethod, outcome: MethodOutcome): Array<DisruptionPass['refusals'][number]> {
  return outcome.refusals.map((refusal) => {
    const { nodes, limitedByBudgetsOf } = refusal;
    return {
      method,
      nodes,
      limitedByBudgetsOf,
      get why() {
        return refusal.why;
      },
    };
  });
}

function withoutSimulation(
  computeCommands: (context: DisruptionContext) => MethodOutcome,
): (view: ClusterView) => PassGenerator<MethodOutcome> {
  // eslint-disable-next-line require-yield -- it takes no time
  return function* ({ context }) {
    return computeCommands(context);
  };
}
