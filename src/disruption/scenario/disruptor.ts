import { Label } from '../../model';
import { Instant } from '../cluster';
import { Command, DisruptionMethod } from '../command';
import { DisruptionPass } from '../disruption-pass';
import { confirmed, isLookedAtTwice, SECOND_LOOK } from '../second-look';
import { CommandsUnderway } from './commands-underway';
import { POLL } from './consolidation-memory';
import { exceededBy, ExceededLimit, exceededLimit } from './exceeded-limit';
import { nextLook } from './next-look';
import { lessVariety, NOTHING_LEFT, openGate } from './remedies';
import { LaunchFailure, launchFailure, launchReplacements } from './replacements';
import { Stuck } from './scenario-report';
import { Search } from './search';
import { stuckCandidate } from './stuck';
import { VainLooks } from './vain-looks';
import { World } from './world';
import { NodePhase } from './world-node';

/** What these never get to stays as it is. */
const LASTING: readonly DisruptionMethod[] = ['Drift', 'StaticDrift', 'Repair'];

/** A pass, and those that follow at once: the last of them is under way. */
interface Round extends Kept {
  readonly search: Search;
  readonly methods: readonly DisruptionMethod[];
  readonly begun: Instant;
  /** Of the world when it began. */
  readonly version: number;
  readonly refusals: Array<DisruptionPass['refusals'][number]>;
}

/** Nodes that were to be replaced, and stay. */
interface Kept {
  /** Those of a NodePool that uses more than it may. */
  readonly failed: Set<string>;
  /** Those that nothing can be launched for, until the round is over, with what they were before. */
  readonly held: Map<string, NodePhase>;
}

/** Karpenter's own disruption as time passes: it decides, has replacements launched, and drains the nodes when these are up. */
export class Disruptor {
  private readonly underway = new CommandsUnderway();
  private last: DisruptionPass | undefined;
  private round: Round | undefined;
  /** Decided, and to be looked at once more. */
  private pending: { readonly command: Command; readonly until: number } | undefined;
  private due: number;
  private seen = -1;
  private earliest: number;
  /** NodePools of which it is told that they use more than they may. */
  private readonly exceeded = new Set<string>();
  /** Nodes that were to be replaced, and nothing could be launched for: it is told once of each, and with it what kept it. */
  private readonly unlaunched = new Map<string, LaunchFailure>();
  private readonly vain = new VainLooks();
  /** Those of the last round, for what their NodePool uses. */
  private failed: ReadonlySet<string> = new Set();

  /** @param methods those that are looked at; the scenario is about these only */
  public constructor(start: number, private readonly methods: readonly DisruptionMethod[]) {
    this.due = this.earliest = start;
  }

  public act(world: World): void {
    this.underway.finish(world);
    if (this.pending && this.pending.until <= world.now) this.lookAgain(world, this.pending.command);
    else if (!this.pending && !this.round && this.nextPass(world) <= world.now) this.decide(world, this.methods);
    while (this.round?.search.isOver(world)) this.conclude(world, this.round, this.round.search.found!);
  }

  /**
   * When it does something, or looks again; infinite where that is not before something else happens, or where nothing would be different.
   *
   * @param until when something else happens: up to then it goes on with what it is at
   */
  public next(world: World, until: number): number {
    const givenUp = this.underway.next(world);
    if (this.pending) return Math.min(givenUp, this.pending.until);
    return Math.min(givenUp, this.round ? this.round.search.goOn(world, Math.min(until, givenUp)) : this.nextPass(world));
  }

  /** What it never got to. */
  public stuck(world: World): Stuck[] {
    const isLasting = this.methods.some((method) => LASTING.includes(method));
    const without = isLasting ? new Set([...this.failed, ...this.unlaunched.keys()].filter((name) => world.nodes.get(name)?.phase === 'up')) : [];
    const refusals = (this.last?.refusals ?? []).filter(({ nodes: [name, ...others], method }) =>
      others.length === 0 && world.nodes.get(name)?.phase === 'up' && !this.unlaunched.has(name) && LASTING.includes(method));
    return [
      ...[...without].map((name) => this.withoutReplacement(world, name, this.unlaunched.get(name))),
      ...refusals.map((refusal) => stuckCandidate(refusal, refusal.method, world)),
    ];
  }

  private withoutReplacement(world: World, name: string, failure: LaunchFailure | undefined): Stuck {
    const exceeded = exceededBy(world, world.nodes.get(name)?.node.labels[Label.NODE_POOL] ?? '');
    if (exceeded) return { what: `node ${name}`, why: exceeded.why, remedy: `let NodePool "${exceeded.nodePool}" have what it uses` };
    if (failure?.why?.includes('minValues')) return { what: `node ${name}`, why: failure.why, remedy: lessVariety(failure.nodePool) };
    return { what: `node ${name}`, why: NOTHING_LEFT, remedy: `leave room there, or ${openGate(this.methods[0])}` };
  }

  /** It looks every so often, whatever happens: what is to be done before waits for that. */
  private nextPass({ version, now }: World): number {
    const wanted = version === this.seen ? this.due : now;
    return wanted <= this.earliest ? this.earliest : this.earliest + Math.ceil((wanted - this.earliest) / POLL) * POLL;
  }

  private decide(world: World, methods: readonly DisruptionMethod[], kept: Kept = { failed: new Set(), held: new Map() }): void {
    this.vain.catchUp(world);
    this.round = { search: new Search(world, methods), methods, begun: world.now, version: world.version, refusals: [], ...kept };
  }

  /** After a command it decides again at once. */
  private conclude(world: World, round: Round, pass: DisruptionPass): void {
    const { methods, begun, version, refusals, failed, held } = round;
    const commands = pass.commands.filter(({ candidates }) => candidates.every(({ node: { name } }) => isThere(world, name)));
    if (commands.length > 0 && !isLookedAtTwice(commands[0])) {
      const before = held.size;
      const isBegun = this.beginSome(world, commands, round);
      // Where nothing could be begun, and nothing is held for it, the others have their turn meanwhile.
      const isOver = !isBegun && held.size === before;
      if (isOver) refusals.push(...pass.refusals);
      const next = isOver ? this.methods.slice(this.methods.indexOf(commands[0].method) + 1) : this.methods;
      this.round = { ...round, search: new Search(world, next), ...(isBegun ? { begun: world.now, version: world.version } : {}) };
      return;
    }
    this.round = undefined;
    held.forEach((phase, name) => release(world, name, phase));
    const { commands: decided, isSkipped } = pass;
    this.last = { commands: decided, isSkipped, refusals: [...refusals, ...pass.refusals] };
    this.failed = failed;
    const [command] = commands;
    if (command) this.pending = { command, until: world.now + SECOND_LOOK };
    this.seen = version;
    this.earliest = world.now + POLL;
    const isAgain = held.size > 0 && this.vain.add(world, held.keys());
    const forgotten = pass.isSkipped && !isAgain ? world.memory.until : Infinity;
    const isSoon = command !== undefined || (held.size > 0 && !isAgain) || methods !== this.methods;
    this.due = isSoon ? this.earliest : Math.min(forgotten, nextLook(world, this.methods, pass, begun));
  }

  /** What it has decided it does, or leaves to the methods that come after; then it decides anew at once. */
  private lookAgain(world: World, decided: Command): void {
    this.pending = undefined;
    world.memory.wake(world.now);
    const command = confirmed(decided, world.snapshot(), world.now);
    const exceeded = command && exceededLimit(world, command);
    if (exceeded) {
      this.giveUp(world, exceeded);
      return;
    }
    const kept: Kept = { failed: new Set(), held: new Map() };
    if (command) this.beginSome(world, [command], kept);
    this.decide(world, command ? this.methods : this.methods.slice(this.methods.indexOf(decided.method) + 1), kept);
  }

  /** Those that what comes in their place can be launched for; whether there are any. Of the others `kept` has the nodes. */
  private beginSome(world: World, commands: readonly Command[], { failed, held }: Kept): boolean {
    const begun = commands.filter((command) => {
      const names = command.candidates.map(({ node: { name } }) => name);
      const exceeded = exceededLimit(world, command);
      if (exceeded) this.tellOnce(world, exceeded);
      const failure = exceeded ? undefined : launchFailure(world, command);
      if (!exceeded && !failure) {
        for (const name of names) this.unlaunched.delete(name);
        this.begin(world, command);
        return true;
      }
      // What can be launched is, and stays, also where the rest of it cannot.
      const replacements = command.replacements.filter(({ nodePool }) => exceededBy(world, nodePool) === undefined);
      const launched = launchReplacements(world, { replacements });
      for (const name of names) {
        // It tries again and again.
        if (failure && !this.unlaunched.has(name)) {
          world.tell(`${command.method} decides to replace ${name}, and ${launched.length > 0 ? 'not everything' : 'nothing'} can be launched in its place`);
        }
        if (failure) this.unlaunched.set(name, failure);
        else failed.add(name);
      }
      if (failure) this.hold(world, command, held);
      return false;
    });
    return begun.length > 0;
  }

  /** Karpenter finds out that there is nothing in their place when it has decided all that it does at this moment: up to then they count as if they went. */
  private hold(world: World, { candidates, destinations }: Command, held: Kept['held']): void {
    for (const { node: { name } } of candidates) {
      const state = world.nodes.get(name)!;
      held.set(name, state.phase);
      state.phase = 'held';
    }
    nominate(world, destinations);
  }

  /** It comes to the same again and again, and to nothing else. */
  private giveUp(world: World, exceeded: ExceededLimit): void {
    this.tellOnce(world, exceeded);
    this.seen = world.version;
    this.earliest = world.now + POLL;
    this.due = Infinity;
  }

  private tellOnce(world: World, { nodePool, why }: ExceededLimit): void {
    if (this.exceeded.has(nodePool)) return;
    this.exceeded.add(nodePool);
    world.tell(why);
  }

  private begin(world: World, command: Command): void {
    const names = command.candidates.map(({ node: { name } }) => name);
    const { method, decision, terminateFirst } = command;
    world.tell(`${method} decides to ${decision} ${names.join(', ')}${terminateFirst ? ` (${terminateFirst})` : ''}`);
    for (const name of names) world.nodes.get(name)!.phase = 'leaving';
    this.underway.add(command, launchReplacements(world, command), world.now);
    nominate(world, command.destinations);
    world.unsettled = true;
    this.underway.finish(world);
  }
}

/** Keeps the nodes that pods are to come to. */
function nominate({ nominations, now }: World, destinations: Command['destinations']): void {
  for (const name of new Set(destinations?.())) nominations.keep(name, now);
  nominations.wake();
}

function release({ nodes }: World, name: string, phase: NodePhase): void {
  const state = nodes.get(name);
  if (state?.phase === 'held') state.phase = phase;
}

function isThere({ nodes }: World, name: string): boolean {
  const phase = nodes.get(name)?.phase;
  return phase === 'up' || phase === 'launching';
}
