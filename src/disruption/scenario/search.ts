import { Scene, sceneOf } from '../candidates';
import { Instant } from '../cluster';
import { DisruptionMethod } from '../command';
import { Deciding } from '../deciding';
import { DisruptionPass, passing } from '../disruption-pass';
import { World } from './world';

/** One pass of the disruption controller as time goes by: what happens meanwhile the simulations that begin later see. */
export class Search {
  /** What it has come to; undefined as long as it goes on. */
  public found?: DisruptionPass;
  private readonly deciding: Deciding<DisruptionPass>;
  private readonly view: { scene: Scene; now: Instant; ahead: number };
  /** Milliseconds. */
  private readonly step: number;

  public constructor(world: World, methods: readonly DisruptionMethod[]) {
    this.step = Math.round(world.times.simulation * 1_000);
    this.view = { scene: sceneOf(world.snapshot(), world.now), now: world.now, ahead: 1 };
    this.deciding = passing(this.view, methods, world.memory);
    // Which nodes may go at all it finds before anything comes of what was decided at the same moment.
    this.goOn(world, world.now + 1);
  }

  /** Whether it has come to its end by now. */
  public isOver({ now }: World): boolean {
    return this.found !== undefined && this.view.now <= now;
  }

  /**
   * Goes on for as long as nothing happens to the world.
   *
   * @param until what happens next happens then
   * @returns when it has come to an end; infinite where it has not by then
   */
  public goOn(world: World, until: Instant): Instant {
    const { view, step } = this;
    const cluster = world.snapshot();
    if (view.scene.cluster !== cluster) view.scene = sceneOf(cluster, view.now);
    while (this.found === undefined && view.now < until) {
      view.ahead = step === 0 ? Infinity : Math.ceil((until - view.now) / step);
      const next = this.deciding.next();
      if (next.done) this.found = next.value;
      else view.now += step;
    }
    return this.found === undefined ? Infinity : view.now;
  }
}
