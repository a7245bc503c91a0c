import { DisruptionQueue } from './queue';
import {
  ExceededLimit,
  exceededLimit,
  exceededLimitOf,
  LaunchFailure,
  launchFailure,
  launchReplacements,
} from './replacements';
import { Command } from '../../../types';
import { SimulatedCluster } from '../../cluster/simulated-cluster';
import { NodePhase } from '../../cluster/simulated-node';

/** Candidates of commands that could not be executed in the current passes. */
export interface BlockedCandidates {
  /** Their NodePool exceeds its limits. */
  readonly overLimit: Set<string>;
  /**
   * EC2 had no capacity for their replacements. They count as deleting until the last pass ends; the value is their
   * phase before.
   */
  readonly pendingReplacement: Map<string, NodePhase>;
}

export function noBlockedCandidates(): BlockedCandidates {
  return { overLimit: new Set(), pendingReplacement: new Map() };
}

/** Executes commands: launches their replacements, and marks their candidates for deletion. */
export class CommandExecutor {
  public readonly queue: DisruptionQueue;
  /** Candidates for which EC2 had no capacity. Each is reported once in the timeline. */
  public readonly launchFailures = new Map<string, LaunchFailure>();
  /** NodePools whose exceeded limits are reported in the timeline. */
  private readonly reportedPools = new Set<string>();

  public constructor(private readonly cluster: SimulatedCluster) {
    this.queue = new DisruptionQueue(cluster);
  }

  /**
   * Executes the commands whose replacements can be launched, and adds the candidates of the others to `blocked`.
   *
   * @returns whether any command was executed
   */
  public executeAll(commands: readonly Command[], blocked: BlockedCandidates): boolean {
    let hasExecuted = false;
    for (const command of commands) hasExecuted = this.tryExecute(command, blocked) || hasExecuted;
    return hasExecuted;
  }

  private tryExecute(command: Command, blocked: BlockedCandidates): boolean {
    const { cluster } = this;
    const names = command.candidates.map(({ node }) => node.name);
    const exceeded = exceededLimit(cluster, command);
    if (exceeded) this.reportOnce(exceeded);
    const failure = exceeded ? undefined : launchFailure(cluster, command);
    if (!exceeded && !failure) {
      for (const name of names) this.launchFailures.delete(name);
      this.execute(command);
      return true;
    }
    // Karpenter keeps the replacements that it could launch.
    const launchable = command.replacements.filter(({ nodePool }) => exceededLimitOf(cluster, nodePool) === undefined);
    const launched = launchReplacements(cluster, { replacements: launchable });
    if (failure) this.recordFailure(command, failure, launched.length > 0, blocked);
    else for (const name of names) blocked.overLimit.add(name);
    return false;
  }

  /**
   * Karpenter notices failed launches only after the passes of this tick, so until then the candidates count as
   * deleting.
   */
  private recordFailure(
    command: Command,
    failure: LaunchFailure,
    hasLaunched: boolean,
    blocked: BlockedCandidates,
  ): void {
    const { cluster } = this;
    const { method, candidates, destinations } = command;
    for (const {
      node: { name },
    } of candidates) {
      if (!this.launchFailures.has(name)) {
        cluster.recordEvent(
          `${method} decides to replace ${name}, and ${hasLaunched ? 'not everything' : 'nothing'} can be launched in its place`,
        );
      }
      this.launchFailures.set(name, failure);
    }
    for (const {
      node: { name },
    } of candidates) {
      const state = cluster.nodes.get(name)!;
      blocked.pendingReplacement.set(name, state.phase);
      state.phase = 'pendingReplacement';
    }
    this.nominate(destinations);
  }

  private execute(command: Command): void {
    const { cluster } = this;
    const names = command.candidates.map(({ node }) => node.name);
    const { method, decision, terminateFirst } = command;
    cluster.recordEvent(
      `${method} decides to ${decision} ${names.join(', ')}${terminateFirst ? ` (${terminateFirst})` : ''}`,
    );
    for (const name of names) cluster.nodes.get(name)!.phase = 'markedForDeletion';
    this.queue.add(command, launchReplacements(cluster, command));
    this.nominate(command.destinations);
    cluster.needsProvisioning = true;
    this.queue.reconcile();
  }

  private nominate(destinations: Command['destinations']): void {
    const { nominations, provisioningSchedule, now } = this.cluster;
    for (const name of new Set(destinations?.())) nominations.nominate(name, now);
    provisioningSchedule.trigger();
  }

  /** Reports the limit in the timeline, once for each NodePool. */
  public reportOnce({ nodePool, why }: ExceededLimit): void {
    if (this.reportedPools.has(nodePool)) return;
    this.reportedPools.add(nodePool);
    this.cluster.recordEvent(why);
  }
}
