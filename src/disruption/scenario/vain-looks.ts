import { Instant } from '../cluster';
import { World } from './world';

interface VainLook {
  readonly at: Instant;
  readonly version: number;
  /** What comes of it. */
  readonly key: string;
  /** For how long nodes are kept from then on, by name. */
  readonly kept: ReadonlyMap<string, number>;
}

/**
 * Looks at which Karpenter launches nothing in the place of nodes, though it has decided to: as long as nothing changes they go round in circles, and are
 * not played. Each keeps the nodes that pods were to come to.
 */
export class VainLooks {
  private looks: readonly VainLook[] = [];
  /** From the one that the last was like, to the last. */
  private circle?: readonly VainLook[];

  /**
   * @param names of the nodes that were to go
   * @returns whether it has come to the same before, and will again
   */
  public add({ now: at, version, nodes, nominations }: Pick<World, 'now' | 'version' | 'nodes' | 'nominations'>, names: Iterable<string>): boolean {
    const kept = nominations.kept(at);
    const key = JSON.stringify([nodes.size, [...names].sort(), [...kept].sort()]);
    this.looks = [...this.looks.filter((look) => look.version === version), { at, version, key, kept }];
    const first = this.looks.findIndex((look) => look.key === key);
    if (first === this.looks.length - 1) return false;
    this.circle = this.looks.slice(first);
    for (const name of keptIn(this.circle)) nominations.keepUntil(name, Infinity);
    return true;
  }

  /** Has nodes be kept as if it had looked all the time. */
  public catchUp({ now, nominations }: Pick<World, 'now' | 'nominations'>): void {
    const { circle } = this;
    if (!circle) return;
    this.circle = undefined;
    const [{ at: begun }] = circle;
    const { at: closed } = circle[circle.length - 1];
    const round = closed - begun;
    // The look of this moment is still to come.
    const into = (now - closed) % round || round;
    const { at, kept } = circle.filter((look) => look.at - begun < into).pop()!;
    for (const name of keptIn(circle)) nominations.keepUntil(name, now + (kept.get(name) ?? 0) - (into - (at - begun)));
  }
}

function keptIn(looks: readonly VainLook[]): Set<string> {
  return new Set(looks.flatMap(({ kept }) => [...kept.keys()]));
}
