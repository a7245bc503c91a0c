import { durationText, listText } from '../../../../model';
import { Instant } from '../../../cluster';
import { Command } from '../../../types';
import { SimulatedCluster } from '../../cluster/simulated-cluster';

/** How long Karpenter waits for the replacements of a command: longer with thousands of candidates. In milliseconds. */
const MIN_WAIT = 600_000;
const MAX_WAIT = 3_600_000;
const WAIT_PER_CANDIDATE = 80;

interface QueuedCommand {
  readonly command: Command;
  /** Names of the launched nodes. */
  readonly replacements: readonly string[];
  readonly since: Instant;
}

/**
 * Commands that wait for their replacements. The candidates drain when all replacements are initialized.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/queue.go
 */
export class DisruptionQueue {
  private commands: readonly QueuedCommand[] = [];

  public constructor(private readonly cluster: SimulatedCluster) {}

  public add(command: Command, replacements: readonly string[]): void {
    this.commands = [...this.commands, { command, replacements, since: this.cluster.now }];
  }

  /** Completes commands whose replacements are initialized, and gives up commands that have waited for too long. */
  public reconcile(): void {
    const { commands } = this;
    if (commands.length === 0) return;
    const maxWait = this.maxWait();
    this.commands = commands.filter((queued) => !this.isCompleted(queued, maxWait));
  }

  /** When the next command is given up; infinite if none will be. */
  public nextTimeout(): Instant {
    const maxWait = this.maxWait();
    const timesOut = ({ replacements, since }: QueuedCommand) =>
      replacements.some((name) => (this.cluster.nodes.get(name)?.initializedAt ?? since) > since + maxWait);
    return Math.min(Infinity, ...this.commands.filter(timesOut).map(({ since }) => since + maxWait));
  }

  private maxWait(): number {
    const candidates = this.commands.reduce((sum, { command }) => sum + command.candidates.length, 0);
    return Math.min(Math.max(WAIT_PER_CANDIDATE * candidates, MIN_WAIT), MAX_WAIT);
  }

  private isCompleted({ command, replacements, since }: QueuedCommand, maxWait: number): boolean {
    const { cluster } = this;
    const launching = replacements.filter((name) => cluster.nodes.get(name)?.phase === 'launching');
    if (launching.length > 0 && cluster.now < since + maxWait) return false;
    for (const {
      node: { name, claim },
    } of command.candidates) {
      if (launching.length === 0) cluster.startDraining(name, command.drainBound ?? claim?.terminationGracePeriod);
      else
        this.unmark(
          name,
          `${listText(launching)} ${launching.length === 1 ? 'is' : 'are'} not up after ${durationText(maxWait / 1000)}`,
        );
    }
    return true;
  }

  /** The node takes pods again, and may be disrupted again. */
  private unmark(name: string, why: string): void {
    const { cluster } = this;
    const state = cluster.nodes.get(name);
    if (state?.phase !== 'markedForDeletion') return;
    state.phase = 'initialized';
    cluster.needsProvisioning = true;
    cluster.decisionVersion++;
    cluster.recordEvent(`Karpenter gives up disrupting ${name}: ${why}`);
  }
}
