import { BlockedCandidates, CommandExecutor, noBlockedCandidates } from './command-executor';
import { nextOpportunity } from './next-opportunity';
import { exceededLimit, LaunchFailure } from './replacements';
import { StuckLoopDetector } from './stuck-loop-detector';
import { TimedPass } from './timed-pass';
import { Instant } from '../../../cluster';
import { DisruptionContext } from '../../../context';
import { DisruptionPass } from '../../../controller';
import { Command, DisruptionMethod } from '../../../types';
import { needsValidation, validateCommand, VALIDATION_DELAY } from '../../../validation';
import { POLL_INTERVAL } from '../../cluster/consolidation-state';
import { SimulatedCluster } from '../../cluster/simulated-cluster';
import { NodePhase } from '../../cluster/simulated-node';

/**
 * The states of the controller. Each transition is a return value of `startPass`, `finishPass` or `validate`:
 *
 * - idle → passing, when the next pass is due
 * - passing → passing, after commands that need no validation
 * - passing → validating, after a command that needs validation
 * - passing → idle, after a pass without commands
 * - validating → passing, whether the command is still valid or not
 * - validating → idle, if a NodePool limit blocks the command
 */
type ControllerState = Idle | Passing | Validating;

/** Nothing to do now: waits for the next poll at which a pass may find something. */
interface Idle {
  readonly kind: 'idle';
  /** Karpenter polls every ten seconds from here on. */
  readonly firstPoll: Instant;
  /** When a pass may find something, unless the cluster changes. */
  readonly dueAt: Instant;
  /** The state of the cluster for which `dueAt` was computed. */
  readonly decisionVersion: number;
}

/** A pass is running, and its simulations take time. */
interface Passing extends BlockedCandidates {
  readonly kind: 'passing';
  readonly pass: TimedPass;
  readonly methods: readonly DisruptionMethod[];
  /** When the first pass since the last executed command started, and the state of the cluster then. */
  readonly startedAt: Instant;
  readonly decisionVersion: number;
  /** Refusals of earlier passes that started in the same state. */
  readonly earlierRefusals: DisruptionPass['refusals'];
}

/** A command was decided, and is executed after 15 seconds if it is still valid. */
interface Validating {
  readonly kind: 'validating';
  readonly command: Command;
  readonly until: Instant;
}

/**
 * Karpenter's disruption controller: decides commands, launches replacements, and drains the candidates when these are
 * initialized.
 */
export class DisruptionController {
  private state: ControllerState;
  private readonly executor: CommandExecutor;
  private readonly loopDetector = new StuckLoopDetector();
  private lastRefusals: DisruptionPass['refusals'] = [];
  /** Candidates of the last passes whose NodePool exceeds its limits. */
  private overLimit: ReadonlySet<string> = new Set();

  /** @param methods the methods that the scenario is about; no others run */
  public constructor(
    private readonly cluster: SimulatedCluster,
    public readonly methods: readonly DisruptionMethod[],
  ) {
    this.executor = new CommandExecutor(cluster);
    this.state = { kind: 'idle', firstPoll: cluster.start, dueAt: cluster.start, decisionVersion: -1 };
  }

  public reconcile(): void {
    const { now } = this.cluster;
    this.executor.queue.reconcile();
    const { state } = this;
    if (state.kind === 'validating' && state.until <= now) this.state = this.validate(state.command);
    else if (state.kind === 'idle' && this.nextPoll(state) <= now) this.state = this.startPass(this.methods);
    for (;;) {
      const { state: passing } = this;
      const result = passing.kind === 'passing' ? passing.pass.result : undefined;
      if (passing.kind !== 'passing' || result === undefined) return;
      this.state = this.finishPass(passing, result);
    }
  }

  /**
   * When the controller acts next; infinite if it would not act differently before something else happens. Runs the
   * simulations of a pass up to then.
   *
   * @param until when something else happens
   */
  public nextReconcile(until: Instant): Instant {
    const { state } = this;
    const timeout = this.executor.queue.nextTimeout();
    switch (state.kind) {
      case 'validating':
        return Math.min(timeout, state.until);
      case 'passing':
        return Math.min(timeout, state.pass.advance(Math.min(until, timeout)));
      case 'idle':
        return Math.min(timeout, this.nextPoll(state));
    }
  }

  /** What the last passes left undone, for the report. */
  public get remaining(): {
    readonly refusals: DisruptionPass['refusals'];
    readonly overLimit: ReadonlySet<string>;
    readonly launchFailures: ReadonlyMap<string, LaunchFailure>;
  } {
    return { refusals: this.lastRefusals, overLimit: this.overLimit, launchFailures: this.executor.launchFailures };
  }

  /** Polls happen every ten seconds, so whatever is due earlier waits for the next poll. */
  private nextPoll({ firstPoll, dueAt, decisionVersion }: Idle): Instant {
    const { now, decisionVersion: currentVersion } = this.cluster;
    const wanted = decisionVersion === currentVersion ? dueAt : now;
    return wanted <= firstPoll
      ? firstPoll
      : firstPoll + Math.ceil((wanted - firstPoll) / POLL_INTERVAL) * POLL_INTERVAL;
  }

  private startPass(methods: readonly DisruptionMethod[], blocked?: BlockedCandidates): Passing {
    const { cluster } = this;
    this.loopDetector.resume(cluster);
    const { overLimit, pendingReplacement } = blocked ?? noBlockedCandidates();
    return {
      kind: 'passing',
      pass: new TimedPass(cluster, methods),
      methods,
      startedAt: cluster.now,
      decisionVersion: cluster.decisionVersion,
      earlierRefusals: [],
      overLimit,
      pendingReplacement,
    };
  }

  /** After commands, another pass starts at once. */
  private finishPass(passing: Passing, result: DisruptionPass): ControllerState {
    const { cluster } = this;
    const commands = result.commands.filter(({ candidates }) =>
      candidates.every(({ node: { name } }) => isPresent(cluster, name)),
    );
    if (commands.length > 0 && !needsValidation(commands[0])) return this.executeAndContinue(passing, commands, result);
    const { methods, startedAt, decisionVersion, earlierRefusals, overLimit, pendingReplacement } = passing;
    pendingReplacement.forEach((phase, name) => this.release(name, phase));
    this.lastRefusals = [...earlierRefusals, ...result.refusals];
    this.overLimit = overLimit;
    const hasFailures = pendingReplacement.size > 0;
    const isLoop = hasFailures && this.loopDetector.record(cluster, pendingReplacement.keys());
    if (commands.length > 0) return { kind: 'validating', command: commands[0], until: cluster.now + VALIDATION_DELAY };
    const firstPoll = cluster.now + POLL_INTERVAL;
    const expiresAt = result.hasSkippedMethods && !isLoop ? cluster.consolidation.expiresAt : Infinity;
    // A pass over some methods only is followed by a pass over all.
    const isDueAtOnce = (hasFailures && !isLoop) || methods !== this.methods;
    const dueAt = isDueAtOnce
      ? firstPoll
      : Math.min(expiresAt, nextOpportunity(cluster, this.methods, result, startedAt));
    return { kind: 'idle', firstPoll, dueAt, decisionVersion };
  }

  private executeAndContinue(passing: Passing, commands: readonly Command[], result: DisruptionPass): Passing {
    const { cluster } = this;
    const failuresBefore = passing.pendingReplacement.size;
    const hasExecuted = this.executor.executeAll(commands, passing);
    // If no command could be executed because of limits, the remaining methods get their turn.
    const isMethodDone = !hasExecuted && passing.pendingReplacement.size === failuresBefore;
    const earlierRefusals = isMethodDone ? [...passing.earlierRefusals, ...result.refusals] : passing.earlierRefusals;
    const pass = new TimedPass(cluster, isMethodDone ? this.methodsAfter(commands[0].method) : this.methods);
    return {
      ...passing,
      earlierRefusals,
      pass,
      ...(hasExecuted ? { startedAt: cluster.now, decisionVersion: cluster.decisionVersion } : {}),
    };
  }

  /** Executes a command that is still valid; otherwise the remaining methods get their turn. */
  private validate(decided: Command): ControllerState {
    const { cluster } = this;
    cluster.consolidation.resumePolling(cluster.now);
    const command = validateCommand(decided, new DisruptionContext(cluster.snapshot(), cluster.now, cluster.session));
    const exceeded = command && exceededLimit(cluster, command);
    if (exceeded) {
      this.executor.reportOnce(exceeded);
      // The same decision would fail again, until the cluster changes.
      return {
        kind: 'idle',
        firstPoll: cluster.now + POLL_INTERVAL,
        dueAt: Infinity,
        decisionVersion: cluster.decisionVersion,
      };
    }
    const blocked = noBlockedCandidates();
    if (command) this.executor.executeAll([command], blocked);
    return this.startPass(command ? this.methods : this.methodsAfter(decided.method), blocked);
  }

  private methodsAfter(method: DisruptionMethod): readonly DisruptionMethod[] {
    return this.methods.slice(this.methods.indexOf(method) + 1);
  }

  private release(name: string, phase: NodePhase): void {
    const state = this.cluster.nodes.get(name);
    if (state?.phase === 'pendingReplacement') state.phase = phase;
  }
}

function isPresent({ nodes }: SimulatedCluster, name: string): boolean {
  const phase = nodes.get(name)?.phase;
  return phase === 'initialized' || phase === 'launching';
}
