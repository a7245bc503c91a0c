import { Instant } from '../cluster';
import { Command } from '../command';
import { drain } from './drain-node';
import { World } from './world';

/** For as long Karpenter waits for the nodes of a command, unless it has thousands of commands under way. */
const SHORTEST_WAIT = 600_000;
const LONGEST_WAIT = 3_600_000;
const WAIT_FOR_EACH_NODE = 80;

interface Underway {
  readonly command: Command;
  readonly replacements: readonly string[];
  readonly since: Instant;
}

/**
 * Commands that wait for what comes in the place of their nodes.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/queue.go
 */
export class CommandsUnderway {
  private all: readonly Underway[] = [];

  public add(command: Command, replacements: readonly string[], since: Instant): void {
    this.all = [...this.all, { command, replacements, since }];
  }

  /** Drains the nodes of those that have what they wait for, and leaves the nodes of those alone that have waited for too long. */
  public finish(world: World): void {
    const { all } = this;
    if (all.length === 0) return;
    const longest = this.longestWait();
    this.all = all.filter((each) => !isDone(world, each, longest));
  }

  /** When one has waited for too long; infinite where none will. */
  public next(world: World): Instant {
    const longest = this.longestWait();
    const isLate = ({ replacements, since }: Underway) => replacements.some((name) => (world.nodes.get(name)?.until ?? since) > since + longest);
    return Math.min(Infinity, ...this.all.filter(isLate).map(({ since }) => since + longest));
  }

  private longestWait(): number {
    const nodes = this.all.reduce((sum, { command: { candidates } }) => sum + candidates.length, 0);
    return Math.min(Math.max(WAIT_FOR_EACH_NODE * nodes, SHORTEST_WAIT), LONGEST_WAIT);
  }
}

function isDone(world: World, { command, replacements, since }: Underway, longest: number): boolean {
  const awaited = replacements.filter((name) => world.nodes.get(name)?.phase === 'launching');
  if (awaited.length > 0 && world.now < since + longest) return false;
  for (const { node: { name, claim } } of command.candidates) {
    if (awaited.length === 0) drain(world, name, command.drainBound ?? claim?.terminationGracePeriod);
    else leaveAlone(world, name, `${awaited.join(', ')} ${awaited.length === 1 ? 'is' : 'are'} not up after ${longest / 60_000} minutes`);
  }
  return true;
}

/** It may take pods again, and be disrupted again. */
function leaveAlone(world: World, name: string, why: string): void {
  const state = world.nodes.get(name);
  if (state?.phase !== 'leaving') return;
  state.phase = 'up';
  world.unsettled = true;
  world.version++;
  world.tell(`Karpenter gives up disrupting ${name}: ${why}`);
}
