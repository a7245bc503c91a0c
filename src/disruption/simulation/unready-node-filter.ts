import { RemovedNode, withNodesAndPods } from '../../scheduling';
import { CandidateQueue } from '../candidates/candidate-queue';
import { currentCandidate } from '../candidates/candidates';
import { ClusterView, DisruptionContext } from '../context';
import { Candidate } from '../types';
import { currentlyReschedulable } from './node-removals';
import { QueuedPods } from './queued-pods';

/**
 * How many candidates are checked at once. The solver shares work between them, but results after the first disrupted
 * one are lost.
 */
const BATCH_SIZE = 64;

/**
 * Rejects candidates whose pods would certainly go to uninitialized nodes, without a simulation for each. While many
 * nodes are replaced, that is the usual reason for a refusal. A simulation of a rejected candidate would fail too.
 */
export class UnreadyNodeFilter {
  /** Whether each candidate of the batch is rejected. */
  private rejected: readonly boolean[];
  /** The index of the first candidate of the batch. */
  private from = 0;
  /** The state of the cluster that the batch was checked in. */
  private context: DisruptionContext;
  private base?: ReturnType<UnreadyNodeFilter['buildBase']>;

  /**
   * @param candidates in the order in which they are tried
   * @param skipsFirst whether the first candidate is not checked: if it is likely to be disrupted, checking a batch is
   * wasted
   */
  public constructor(
    private readonly view: ClusterView,
    private readonly candidates: Pick<CandidateQueue, 'slice'>,
    skipsFirst: boolean,
  ) {
    this.context = view.context;
    this.rejected = skipsFirst ? [false] : [];
  }

  /** Whether the candidate at an index would certainly be refused now; false if that is not known. */
  public isRejected(index: number): boolean {
    if (this.context !== this.view.context || index >= this.from + this.rejected.length) this.checkBatch(index);
    return this.rejected[index - this.from];
  }

  private checkBatch(from: number): void {
    const { context, simulationsAhead } = this.view;
    if (this.context !== context) this.base = undefined;
    this.context = context;
    this.from = from;
    const batch = this.candidates
      .slice(from, from + Math.min(BATCH_SIZE, simulationsAhead))
      .map((candidate) => currentCandidate(candidate, context));
    const present = batch.flatMap((candidate) => candidate ?? []);
    const results = present.length === 0 ? [] : this.check(present);
    const byCandidate = new Map(present.map((candidate, index) => [candidate, results[index]]));
    this.rejected = batch.map((candidate) => candidate !== undefined && byCandidate.get(candidate)!);
  }

  private check(candidates: readonly Candidate[]): boolean[] {
    const { input, queue } = (this.base ??= this.buildBase());
    const removed = candidates.map((candidate) => this.removedNode(candidate, queue));
    return this.context.session.scheduling.wouldUseUninitializedNodes(input, removed);
  }

  private buildBase() {
    const {
      pods: { queue, groups },
      nodes,
      input,
    } = this.context.simulationBase(false);
    return { queue, input: withNodesAndPods(input, nodes, groups) };
  }

  private removedNode({ node }: Candidate, queue: readonly QueuedPods[]): RemovedNode {
    const {
      session,
      cluster: { nodes },
    } = this.context;
    const {
      remaining,
      byAge: { groups, ages },
    } = session.removals.of(node, currentlyReschedulable(node, this.context));
    return {
      index: nodes.indexOf(node),
      remains: remaining,
      groups,
      before: ages.map((age) => queueIndex(age, queue)),
    };
  }
}

/**
 * The index in the queue for candidate pods of an age: after pods of deleting nodes of the same age, and before pending
 * pods.
 */
function queueIndex(age: string, queue: readonly QueuedPods[]): number {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = queue[middle];
    if (entry.age < age || (entry.age === age && entry.onDeletingNode)) low = middle + 1;
    else high = middle;
  }
  return low;
}
