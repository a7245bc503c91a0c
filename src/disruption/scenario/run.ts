import { copyOfClaim, copyOfNode } from '../copies';
import { daemonPods } from '../daemon-pods';
import { podKey } from '../pod-eviction';
import { Disruptor } from './disruptor';
import { drainNodes } from './draining';
import { Ledger } from './ledger';
import { placePods } from './placing';
import { ScenarioReport } from './scenario-report';
import { refillStaticPools } from './static-pools';
import { stuckDrains } from './stuck';
import { unplaced } from './unplaced';
import { World } from './world';

/** Something that happens to the cluster from outside. */
export interface Happening {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly happen: (world: World) => void;
}

export interface Run {
  readonly scenario: string;
  readonly subject?: string;
  readonly world: World;
  readonly happenings: readonly Happening[];
  /** Absent where nothing is disrupted of Karpenter's own will meanwhile. */
  readonly disruptor?: Disruptor;
}

/** More moments than these, and so many for each node, are not followed: a roll has ten for each. */
const MOST_MOMENTS = 5_000;
const MOST_OF_NODE = 50;
/** More nodes than so many times those of the beginning, and these, come only for a pod that can run on none of them: one after the other, without end. */
const MOST_NODES = 100;
const MOST_FOR_NODE = 5;

/** Lets time pass, from one moment at which something happens to the next, until nothing does. */
export function run({ scenario, subject, world, happenings, disruptor }: Run): ScenarioReport {
  const ledger = new Ledger(world);
  const { before } = ledger;
  const toCome = [...happenings].sort((left, right) => left.at - right.at);
  const end = world.start + world.times.horizon * 1_000;
  const most = MOST_MOMENTS + MOST_OF_NODE * before.nodes;
  const isFlooded = () => world.nodes.size > MOST_NODES + MOST_FOR_NODE * before.nodes;
  let unfinished = false;
  let isCut = false;
  for (let moments = 0; ; moments++) {
    while (toCome.length > 0 && toCome[0].at <= world.now) toCome.shift()!.happen(world);
    settle(world, disruptor);
    const event = Math.min(nextMoment(world), toCome[0]?.at ?? Infinity);
    const next = Math.min(event, disruptor?.next(world, event) ?? Infinity);
    const isLate = next < Infinity && next > end;
    isCut = !isLate && next < Infinity && (moments >= most || isFlooded());
    unfinished = isLate || isCut;
    const isOver = next === Infinity || unfinished;
    // Up to the horizon everything stays as it is.
    const until = isLate ? end : isOver ? world.now : next;
    ledger.passTo(until);
    world.now = until;
    if (isOver) break;
  }
  return {
    scenario,
    ...(subject === undefined ? {} : { subject }),
    timeline: world.timeline,
    course: ledger.course,
    workloads: ledger.stories(),
    pending: [...world.pods.pending().map(({ pod }) => pod), ...world.ordered.notMade].map(podKey),
    unplaced: unplaced(world, isFlooded()),
    lost: world.lost,
    stuck: [...stuckDrains(world, isCut), ...disruptor?.stuck(world) ?? []],
    drains: world.drains,
    before,
    after: world.size(),
    seconds: Math.round((world.now - world.start) / 1_000),
    unfinished,
  };
}

/** All that happens at one moment. */
function settle(world: World, disruptor: Disruptor | undefined): void {
  world.tryAgain();
  for (const subject of world.pods.due(world.now)) world.pass(subject);
  for (const state of world.underway.all) {
    if (state.endsAt !== undefined && state.endsAt <= world.now) world.remove(state.node.name, 'is taken away');
    else if (state.phase === 'launching' && state.until! <= world.now) comeUp(world, state.node.name);
  }
  const isChanged = follow(world);
  const { changes } = world;
  disruptor?.act(world);
  if (isChanged || world.changes !== changes) follow(world);
}

/** What controllers do about things as they are; whether they had to change anything of nodes that go, or come in their place. */
function follow(world: World): boolean {
  const { changes } = world;
  drainNodes(world);
  refillStaticPools(world);
  const isChanged = world.changes !== changes;
  if (world.unsettled) placePods(world);
  return isChanged;
}

function comeUp(world: World, name: string): void {
  const state = world.nodes.get(name)!;
  state.phase = 'up';
  state.until = undefined;
  const node = copyOfNode(state.node);
  node.initialized = true;
  node.claimOnly = undefined;
  if (node.claim) {
    const claim = copyOfClaim(node.claim);
    claim.initializedAt = world.now;
    node.claim = claim;
  }
  state.node = node;
  const { daemons = [] } = world.cluster;
  for (const pod of daemonPods(state.node, daemons, world.now)) world.pods.addStarting(pod, name, world.after(world.times.podStart));
  world.memory.change(world.now);
  world.unsettled = true;
  world.version++;
  world.tell(`${name} is up`);
}

function nextMoment(world: World): number {
  let next = Math.min(world.nextTry(), world.pods.nextDue(), world.nextDrain);
  const { now } = world;
  for (const { until = now, endsAt = now } of world.underway.all) {
    if (until > now && until < next) next = until;
    if (endsAt > now && endsAt < next) next = endsAt;
  }
  return next;
}
