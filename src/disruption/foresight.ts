import { Turns } from './turns';
import { endOnNodesNotUp, inputWith, NodeGone } from '../scheduling';
import { Candidate, Scene, stillThere } from './candidates';
import { View } from './deciding';
import { groundOf, groupsOf, leavingNode, movable } from './ground';
import { inOrderOfAge, Queued } from './queued';

/** So many are looked at together: what they have in common is answered once for them, and those behind the one that goes for nothing. */
const TOGETHER = 64;

/**
 * Which candidates a simulation surely refuses, as pods of theirs would go to nodes that are not up yet. While many nodes go, that is what
 * becomes of most that are tried next, and it is told for many of them at once. It says nothing new: the simulation of each would refuse it too.
 */
export class Foresight {
  private told: readonly boolean[];
  /** The candidate that the first of these is about, and what they have been told of. */
  private from = 0;
  private scene: Scene;
  private base?: { readonly queue: readonly Queued[]; readonly input: Parameters<typeof endOnNodesNotUp>[0] };

  /**
   * @param turns the candidates in the order in which they are tried
   * @param isFirstSimulated whether nothing is told of the first: where it is likely to go, what is told of others is for nothing
   */
  public constructor(
    private readonly view: View, private readonly turns: Pick<Turns, 'slice'>, private readonly settles: boolean, isFirstSimulated: boolean,
  ) {
    this.scene = view.scene;
    this.told = isFirstSimulated ? [false] : [];
  }

  /** Whether the candidate at this place is surely refused now; false where that is not known. */
  public refuses(at: number): boolean {
    if (this.scene !== this.view.scene || at >= this.from + this.told.length) this.lookAhead(at);
    return this.told[at - this.from];
  }

  private lookAhead(from: number): void {
    const { scene, ahead } = this.view;
    if (this.scene !== scene) this.base = undefined;
    this.scene = scene;
    this.from = from;
    const next = this.turns.slice(from, from + Math.min(TOGETHER, ahead)).map((candidate) => stillThere(candidate, scene));
    const there = next.flatMap((candidate) => candidate ?? []);
    const told = there.length === 0 ? [] : this.ask(there);
    const answers = new Map(there.map((candidate, at) => [candidate, told[at]]));
    this.told = next.map((candidate) => candidate !== undefined && answers.get(candidate)!);
  }

  private ask(candidates: readonly Candidate[]): boolean[] {
    const { input, queue } = this.base ??= this.begin();
    return endOnNodesNotUp(input, candidates.map((candidate) => this.gone(candidate, queue)), this.scene.cluster.catalog);
  }

  private begin() {
    const { others: { queue, groups }, nodes, input } = groundOf(this.scene, this.settles);
    return { queue, input: inputWith(input, nodes, groups) };
  }

  private gone({ node }: Candidate, queue: readonly Queued[]): NodeGone {
    const moved = movable(node, this.scene, false);
    const left = leavingNode(node, moved);
    const { groups, ages } = comingOf(left, node, moved);
    return { node: this.scene.cluster.nodes.indexOf(node), left, groups, before: ages.map((age) => placeOf(age, queue)) };
  }
}

interface Coming {
  readonly groups: NodeGone['groups'];
  readonly ages: readonly string[];
}

/** The pods of a node in the order of their age: the same as long as what is left of it is. */
function comingOf(left: NodeGone['left'], node: Candidate['node'], moved: Parameters<typeof groupsOf>[1]): Coming {
  const known = COMING.get(left);
  if (known) return known;
  const coming = inOrderOfAge(groupsOf(node, moved));
  const found = { groups: coming.map(({ group }) => group), ages: coming.map(({ age }) => age) };
  COMING.set(left, found);
  return found;
}

const COMING = new WeakMap<NodeGone['left'], Coming>();

/** Of one age, pods of nodes that go already stand before these, and those that wait behind them. */
function placeOf(age: string, queue: readonly Queued[]): number {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const other = queue[middle];
    if (other.age < age || (other.age === age && other.leaving)) low = middle + 1;
    else high = middle;
  }
  return low;
}
