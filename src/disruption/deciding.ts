import { Scene } from './candidates';
import { Instant } from './cluster';

/** What Karpenter sees while it decides. Its simulations take time, and by the next one the cluster may be another. */
export interface View {
  /** As it is now. */
  readonly scene: Scene;
  /** When the simulation begins. */
  readonly now: Instant;
  /** How many simulations begin before there may be another scene, this one included. */
  readonly ahead: number;
}

/** Something that is decided simulation by simulation: it gives way after each, for as long as that takes. */
export type Deciding<Result> = Generator<void, Result, void>;

/** What it comes to where simulations take no time. */
export function atOnce<Result>(decide: (view: View) => Deciding<Result>, scene: Scene): Result {
  const deciding = decide({ scene, now: scene.now, ahead: Infinity });
  for (;;) {
    const step = deciding.next();
    if (step.done) return step.value;
  }
}
