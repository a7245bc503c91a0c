import { Instant } from '../../../cluster';
import { SimulatedCluster } from '../../cluster/simulated-cluster';

/** A pass whose commands could not be executed because EC2 had no capacity. */
interface FailedPass {
  readonly at: Instant;
  readonly decisionVersion: number;
  /** Equal for passes with the same outcome. */
  readonly key: string;
  /** The remaining milliseconds of the nominations after the pass, by node. */
  readonly nominations: ReadonlyMap<string, number>;
}

/**
 * Detects that Karpenter repeats the same failing passes: it decides to replace nodes, and EC2 has no capacity. Each
 * such pass nominates nodes for 20 seconds, which changes what the next pass decides, so several passes may form a
 * cycle.
 *
 * Without this, the simulation would run a pass every ten seconds up to the horizon of a week, or until it is cut off
 * as too long. The detector ends the polling; `resume` restores the nominations that the skipped passes would have
 * left.
 */
export class StuckLoopDetector {
  private passes: readonly FailedPass[] = [];
  /** The passes of one cycle; the outcome of the last one equals that of the first one. */
  private cycle?: readonly FailedPass[];

  /**
   * Records a failed pass.
   *
   * @param candidates the nodes that could not be replaced
   * @returns whether a cycle is complete
   */
  public record(
    {
      now: at,
      decisionVersion,
      nodes,
      nominations,
    }: Pick<SimulatedCluster, 'now' | 'decisionVersion' | 'nodes' | 'nominations'>,
    candidates: Iterable<string>,
  ): boolean {
    const remaining = nominations.remaining(at);
    const key = JSON.stringify([nodes.size, [...candidates].sort(), [...remaining].sort()]);
    this.passes = [
      ...this.passes.filter((pass) => pass.decisionVersion === decisionVersion),
      { at, decisionVersion, key, nominations: remaining },
    ];
    const first = this.passes.findIndex((pass) => pass.key === key);
    if (first === this.passes.length - 1) return false;
    this.cycle = this.passes.slice(first);
    for (const name of nominatedIn(this.cycle)) nominations.nominateUntil(name, Infinity);
    return true;
  }

  /** Sets the nominations as if the passes of the cycle had been repeated until now. */
  public resume({ now, nominations }: Pick<SimulatedCluster, 'now' | 'nominations'>): void {
    const { cycle } = this;
    if (!cycle) return;
    this.cycle = undefined;
    const [{ at: start }] = cycle;
    const { at: end } = cycle[cycle.length - 1];
    const length = end - start;
    // The pass of this tick has not run yet, so a full cycle counts as its whole length.
    const offset = (now - end) % length || length;
    const { at, nominations: remaining } = cycle.filter((pass) => pass.at - start < offset).pop()!;
    for (const name of nominatedIn(cycle))
      nominations.nominateUntil(name, now + (remaining.get(name) ?? 0) - (offset - (at - start)));
  }
}

function nominatedIn(passes: readonly FailedPass[]): Set<string> {
  return new Set(passes.flatMap(({ nominations }) => [...nominations.keys()]));
}
