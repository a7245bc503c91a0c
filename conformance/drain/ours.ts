import { AskedPod, DrainAnswer } from './answer';
import { DrainScenario } from './scenario';
import { podKey } from '../../src/disruption/pod-eviction';
import { drain } from '../../src/disruption/scenario/drain-node';
import { run } from '../../src/disruption/scenario/run';
import { World } from '../../src/disruption/scenario/world';
import { WorldPod } from '../../src/disruption/scenario/world-pods';
import { stagedOf } from '../../src/validation/scenario/staged';

/** Longer than any node here needs to start: none is needed. */
const NODE_START = 60;

/** What a scenario tells of the same nodes. */
export function ours({ manifests, cluster, deleted, now, times }: DrainScenario): DrainAnswer {
  const options = { cluster: [{ path: 'cluster.yaml', text: cluster }] };
  const staged = stagedOf([{ path: 'scenario.yaml', text: manifests }], options, now);
  const world = new World(staged.cluster, now, { ...times, nodeStart: NODE_START, simulation: 0 });
  const seen = new Seen(world, Object.keys(deleted));
  const happenings = Object.entries(deleted).map(([node, after]) => {
    const grace = world.nodes.get(node)!.node.claim!.terminationGracePeriod;
    return { at: now + after * 1_000, happen: () => drain(world, node, grace) };
  });
  run({ scenario: 'deletion', world, happenings });
  return seen.answer();
}

/** Watches what happens to pods. */
class Seen {
  private readonly asked = new Map<string, { readonly pod: string; readonly at: number; gone?: number }>();
  private readonly drained: Record<string, number> = {};

  public constructor(private readonly world: World, nodes: readonly string[]) {
    const { end, gone, removeDrained } = world;
    world.end = (subject: WorldPod, ...more) => {
      const pod = podKey(subject.pod);
      if (nodes.includes(subject.node!) && !this.asked.has(pod)) this.asked.set(pod, { pod, at: this.seconds() });
      end.call(world, subject, ...more);
    };
    world.gone = (subject: WorldPod) => {
      const known = this.asked.get(podKey(subject.pod));
      if (known && nodes.includes(subject.node!)) known.gone = this.seconds();
      gone.call(world, subject);
    };
    world.removeDrained = (name: string) => {
      this.drained[name] = this.seconds();
      removeDrained.call(world, name);
    };
  }

  public answer(): DrainAnswer {
    const asked: AskedPod[] = [...this.asked.values()];
    return { asked, drained: this.drained };
  }

  private seconds(): number {
    return (this.world.now - this.world.start) / 1_000;
  }
}
