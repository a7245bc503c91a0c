import { sceneOf, Scene } from './candidates';
import { Cluster, Instant } from './cluster';
import { Command, DisruptionMethod, Outcome } from './command';
import { atOnce, Deciding, View } from './deciding';
import { drift } from './drift';
import { emptiness } from './emptiness';
import { multiNodeConsolidation } from './multi-node';
import { repair } from './repair';
import { singleNodeConsolidation } from './single-node';
import { staticDrift } from './static-drift';

/** In Karpenter's order. Expiration, interruption and deletion by hand ask nobody, and stand beside it. */
const METHODS: ReadonlyArray<readonly [DisruptionMethod, (view: View) => Deciding<Outcome>]> = [
  ['Repair', repair],
  ['Emptiness', withoutSimulation(emptiness)],
  ['StaticDrift', withoutSimulation(staticDrift)],
  ['Drift', drift],
  ['MultiNodeConsolidation', multiNodeConsolidation],
  ['SingleNodeConsolidation', singleNodeConsolidation],
];

/** What Karpenter decides when it looks at the cluster once, and why it leaves what it leaves. */
export interface DisruptionPass {
  /** All of one method: the first that finds anything to do. */
  readonly commands: readonly Command[];
  /** By the methods that were asked, in their order. */
  readonly refusals: ReadonlyArray<Outcome['refusals'][number] & { readonly method: DisruptionMethod }>;
  /** Whether a method has not looked, for what is remembered of it. */
  readonly isSkipped: boolean;
}

/** What is remembered of methods from pass to pass. */
export interface PassMemory {
  isSettled(method: DisruptionMethod, now: Instant): boolean;
  settle(method: DisruptionMethod, now: Instant): void;
}

/**
 * One pass of Karpenter's disruption controller, which it makes every 10 seconds, and again at once after a command. What it decides
 * of consolidation it looks at once more after 15 seconds, and gives up where the cluster has changed meanwhile.
 *
 * @param methods those that are asked; all by default
 * @throws PackerLimitError where the pools alone are more than the solver takes
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/controller.go
 */
export function disruptionPass(cluster: Cluster, now: Instant, methods?: readonly DisruptionMethod[]): DisruptionPass {
  return atOnce((view) => passing(view, methods), sceneOf(cluster, now));
}

/**
 * The same, simulation by simulation.
 *
 * @param memory of what methods have found before
 */
export function* passing(view: View, methods?: readonly DisruptionMethod[], memory?: PassMemory): Deciding<DisruptionPass> {
  const outcomes: Array<readonly [DisruptionMethod, Outcome]> = [];
  let isSkipped = false;
  for (const [method, evaluate] of METHODS.filter(([name]) => methods?.includes(name) ?? true)) {
    if (memory?.isSettled(method, view.now)) {
      isSkipped = true;
      continue;
    }
    const outcome = yield* evaluate(view);
    if (outcome.isConsolidated) memory?.settle(method, view.now);
    outcomes.push([method, outcome]);
    if (outcome.commands.length > 0) return new LazyPass(outcome.commands, outcomes, isSkipped);
  }
  return new LazyPass([], outcomes, isSkipped);
}

/** Where there is something to do most often nobody asks what was refused. */
class LazyPass implements DisruptionPass {
  private found?: DisruptionPass['refusals'];

  public constructor(
    public readonly commands: readonly Command[], private readonly outcomes: ReadonlyArray<readonly [DisruptionMethod, Outcome]>,
    public readonly isSkipped: boolean,
  ) {}

  public get refusals(): DisruptionPass['refusals'] {
    return this.found ??= this.outcomes.flatMap(([method, outcome]) => refusalsOf(method, outcome));
  }
}

function refusalsOf(method: DisruptionMethod, outcome: Outcome): Array<DisruptionPass['refusals'][number]> {
  return outcome.refusals.map((refusal) => {
    const { nodes, heldIn } = refusal;
    return { method, nodes, heldIn, get why() { return refusal.why; } };
  });
}

function withoutSimulation(evaluate: (scene: Scene) => Outcome): (view: View) => Deciding<Outcome> {
  // eslint-disable-next-line require-yield -- it takes no time
  return function* ({ scene }) {
    return evaluate(scene);
  };
}
