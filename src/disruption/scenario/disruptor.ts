import { Label } from '../../model';
import { Command, DisruptionMethod } from '../command';
import { disruptionPass, DisruptionPass } from '../disruption-pass';
import { isDrained } from '../pod-eviction';
import { repairableSince } from '../repair';
import { confirmed, isLookedAtTwice, SECOND_LOOK } from '../second-look';
import { canLaunchReplacements, launchReplacements } from './placing';
import { Stuck } from './scenario-report';
import { World } from './world';

/** Between two looks at a cluster that nothing is to be done about. */
const POLL = 10_000;
/** While a budget has its hours. */
const POLL_FOR_WINDOW = 600_000;

export const CONSOLIDATION = ['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation'] as const;

/** What these never get to stays as it is. */
const LASTING: readonly DisruptionMethod[] = ['Drift', 'StaticDrift', 'Repair'];

interface Underway {
  readonly command: Command;
  readonly replacements: readonly string[];
}

/** Karpenter's own disruption as time passes: it decides, has replacements launched, and drains the nodes when these are up. */
export class Disruptor {
  private readonly underway: Underway[] = [];
  private last: DisruptionPass | undefined;
  /** Decided, and to be looked at once more. */
  private pending: { readonly command: Command; readonly until: number } | undefined;
  private due: number;
  private seen = -1;
  private earliest = 0;
  /** Nodes that it has decided to replace, and could launch nothing for. */
  private failed: ReadonlySet<string> = new Set();

  /** @param methods those that are looked at; the scenario is about these only */
  public constructor(start: number, private readonly methods: readonly DisruptionMethod[]) {
    this.due = start;
  }

  public act(world: World): void {
    this.finish(world);
    if (world.now < this.next(world)) return;
    if (this.pending) this.lookAgain(world, this.pending.command);
    else this.decide(world, this.methods);
  }

  /** When it looks again; infinite where nothing would be different. */
  public next({ version }: World): number {
    if (this.pending) return this.pending.until;
    return version === this.seen ? Math.max(this.earliest, this.due) : this.earliest;
  }

  /** What it never got to. */
  public stuck({ nodes }: World): Stuck[] {
    const refusals = (this.last?.refusals ?? []).filter(({ nodes: [name, ...others], method }) =>
      others.length === 0 && nodes.get(name)?.phase === 'up' && LASTING.includes(method));
    return [
      ...[...this.failed].map((name) => ({ what: `node ${name}`, why: NOTHING_LEFT, remedy: `leave room there, or ${remedyFor(NOTHING_LEFT, this.methods[0])}` })),
      ...refusals.map(({ nodes: [name], why, method }) => ({ what: `node ${name}`, why, remedy: remedyFor(why, method) })),
    ];
  }

  /** After a command it decides again at once. */
  private decide(world: World, methods: readonly DisruptionMethod[]): void {
    const refusals: Array<DisruptionPass['refusals'][number]> = [];
    const failed = new Set<string>();
    let pass = disruptionPass(world.snapshot(), world.now, methods);
    while (pass.commands.length > 0 && !isLookedAtTwice(pass.commands[0])) {
      const isBegun = this.beginSome(world, pass.commands, failed);
      // Meanwhile the others have their turn.
      if (!isBegun) refusals.push(...pass.refusals);
      const next = isBegun ? this.methods : this.methods.slice(this.methods.indexOf(pass.commands[0].method) + 1);
      pass = disruptionPass(world.snapshot(), world.now, next);
    }
    this.last = { ...pass, refusals: [...refusals, ...pass.refusals] };
    this.failed = failed;
    const [command] = pass.commands;
    if (command) this.pending = { command, until: world.now + SECOND_LOOK };
    this.seen = world.version;
    this.earliest = world.now + POLL;
    this.due = command || methods !== this.methods ? this.earliest : this.quietUntil(world, pass);
  }

  /** What it has decided it does, or leaves to the methods that come after; then it decides anew at once. */
  private lookAgain(world: World, decided: Command): void {
    this.pending = undefined;
    const command = confirmed(decided, world.snapshot(), world.now);
    if (command) this.begin(world, command);
    this.decide(world, command ? this.methods : this.methods.slice(this.methods.indexOf(decided.method) + 1));
  }

  /** Those that what comes in their place can be launched for; whether there are any. Of the others `failed` has the nodes. */
  private beginSome(world: World, commands: readonly Command[], failed: Set<string>): boolean {
    const begun = commands.filter((command) => {
      const names = command.candidates.map(({ node: { name } }) => name);
      if (canLaunchReplacements(world, command)) {
        for (const name of names) failed.delete(name);
        this.begin(world, command);
        return true;
      }
      for (const name of names) {
        // It tries again and again.
        if (!failed.has(name) && !this.failed.has(name)) world.tell(`${command.method} decides to replace ${name}, and nothing can be launched in its place`);
        failed.add(name);
      }
      return false;
    });
    return begun.length > 0;
  }

  private begin(world: World, command: Command): void {
    const names = command.candidates.map(({ node: { name } }) => name);
    const { method, decision, terminateFirst } = command;
    world.tell(`${method} decides to ${decision} ${names.join(', ')}${terminateFirst ? ` (${terminateFirst})` : ''}`);
    for (const name of names) world.nodes.get(name)!.phase = 'leaving';
    this.underway.push({ command, replacements: launchReplacements(world, command) });
    this.finish(world);
  }

  private finish(world: World): void {
    for (const each of [...this.underway]) {
      if (each.replacements.some((name) => world.nodes.get(name)?.phase === 'launching')) continue;
      this.underway.splice(this.underway.indexOf(each), 1);
      for (const { node: { name, claim } } of each.command.candidates) drain(world, name, each.command.drainBound ?? claim?.terminationGracePeriod);
    }
  }

  /** Nodes are looked at again when consolidateAfter is over for one, or a budget may open. */
  private quietUntil(world: World, { refusals }: DisruptionPass): number {
    const { pools } = world.cluster;
    const times = [...world.nodes.values()].flatMap(({ node: { claim, labels } }) => {
      const after = pools.get(labels[Label.NODE_POOL] ?? '')?.consolidateAfter;
      const since = claim?.lastPodEventAt ?? claim?.initializedAt;
      return after === undefined || since === undefined || since + after <= world.now ? [] : [since + after];
    }).concat([...world.nodes.values()].flatMap(({ node: { nominatedUntil = 0, faults = [] } }) =>
      [nominatedUntil, ...faults.map((fault) => repairableSince({ faults: [fault] }))].filter((instant) => instant > world.now)));
    const hasWindow = [...pools.values()].some(({ budgets }) => budgets.some(({ schedule }) => schedule !== undefined));
    const isHeld = () => refusals.some(({ why }) => why.startsWith('the disruption budgets'));
    return Math.min(...times, hasWindow && isHeld() ? world.now + POLL_FOR_WINDOW : Infinity);
  }
}

const NOTHING_LEFT = 'of what its NodePool may launch EC2 has nothing left';

/** Deletes the NodeClaim: from now on the node drains. */
export function drain(world: World, name: string, terminationGracePeriod: number | undefined): void {
  const state = world.nodes.get(name);
  if (!state) return;
  state.phase = 'draining';
  state.drain ??= { since: world.now, pods: world.pods.on(name).filter(({ pod }) => isDrained(pod) && !pod.daemon).length };
  if (terminationGracePeriod !== undefined) state.deadline = world.now + terminationGracePeriod;
  world.unsettled = true;
  world.tell(`${name} drains`);
}

function remedyFor(why: string, method: DisruptionMethod): string {
  if (why.includes('do-not-repair')) return 'take the annotation away once the node has been looked at';
  if (why.startsWith('the disruption budgets')) return 'allow one node at least at some hour: write a budget for the reason Drifted';
  if (why.includes('pdb prevents')) return 'let one pod go at a time (maxUnavailable: 1, and two replicas at least), or set terminationGracePeriod in the NodePool';
  if (why.includes('do-not-disrupt')) return 'set terminationGracePeriod in the NodePool, or give the annotation a duration in place of true';
  if (why.includes('multiple PDBs')) return 'leave each pod one PodDisruptionBudget';
  if (why === NOTHING_LEFT || /cannot stage a replacement$|reserved offering is full/.test(why)) {
    return `open the gate, with which the node goes before there is another: settings.featureGates.terminateFirst${method === 'Repair' ? 'Repair' : 'Drift'}: true`;
  }
  return 'make room for its pods: see what the NodePools refuse';
}
