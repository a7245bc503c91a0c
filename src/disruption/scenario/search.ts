import { Scene, sceneOf } from '../candidates';
import { Cluster, Instant } from '../cluster';
import { DisruptionMethod } from '../command';
import { Deciding, View } from '../deciding';
import { DisruptionPass, passing } from '../disruption-pass';
import { podsOnTheirWay } from '../ground';
import { simulationOf } from './scenario-times';
import { World } from './world';

/** One pass of the disruption controller as time goes by: what happens meanwhile the simulations that begin later see. */
export class Search {
  /** What it has come to; undefined as long as it goes on. */
  public found?: DisruptionPass;
  private readonly deciding: Deciding<DisruptionPass>;
  private readonly view: SearchView;

  public constructor(world: World, methods: readonly DisruptionMethod[]) {
    this.view = new SearchView(sceneOf(world.snapshot(), world.now), world);
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
    const { view } = this;
    view.show(world.snapshot(), until);
    while (this.found === undefined && view.now < until) {
      const next = this.deciding.next();
      if (next.done) this.found = next.value;
      else view.now += view.step;
    }
    return this.found === undefined ? Infinity : view.now;
  }
}

/** What a search sees, and how long it takes for it. */
class SearchView implements View {
  public now: Instant;
  private until: Instant;
  private readonly given?: number;
  /** Of this scene, once it is asked for. */
  private taken?: number;

  public constructor(public scene: Scene, { now, times: { simulation } }: World) {
    this.now = this.until = now;
    this.given = simulation === undefined ? undefined : Math.round(simulation * 1_000);
  }

  /** @param until it is as it is now */
  public show(cluster: Cluster, until: Instant): void {
    this.until = until;
    if (this.scene.cluster === cluster) return;
    this.scene = sceneOf(cluster, this.now);
    this.taken = undefined;
  }

  /** Milliseconds for a simulation that begins now. */
  public get step(): number {
    return this.given ?? (this.taken ??= Math.round(simulationOf(this.scene.cluster.nodes.length, podsOnTheirWay(this.scene)) * 1_000));
  }

  public get ahead(): number {
    const { step } = this;
    return step === 0 ? Infinity : Math.ceil((this.until - this.now) / step);
  }
}
