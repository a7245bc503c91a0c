import { IncrementalPacker, PackerLimitError, PackerProblem, SharedProblem } from '../../kernel';
import { EncodedProblem } from '../encoding/problem';
import { ScheduleInput } from '../input/schedule-input';

/** The kernel's memory grows with every requirement set that it derives. A packer above this limit is replaced. */
const MAX_PACKER_BYTES = 64 * 2 ** 20;

/** Owns the kernel instance that keeps the shared part of a problem in memory, and replaces it when necessary. */
export class SharedPacker {
  private shared: SharedProblem;
  private packer?: IncrementalPacker;

  public constructor(private readonly encoded: EncodedProblem) {
    this.shared = sharedProblem(encoded.problem);
  }

  /** Undefined if the query is beyond the bounds of the kernel. The packer cannot be used any more then. */
  public use<Answer>(
    { solverBounds }: ScheduleInput['settings'],
    answer: (packer: IncrementalPacker) => Answer,
  ): Answer | undefined {
    try {
      return answer(this.current(solverBounds));
    } catch (error) {
      this.packer = undefined;
      if (error instanceof PackerLimitError) return undefined;
      throw error;
    }
  }

  private current(bounds: ScheduleInput['settings']['solverBounds']): IncrementalPacker {
    const { sets, vocabulary } = this.encoded;
    // A node that appeared after the packer was created may have added a requirement set.
    if (sets.count > this.shared.givenSets) {
      this.shared = { ...this.shared, ...sets.encode(vocabulary.wordStarts()) };
      this.packer = undefined;
    }
    if (this.packer === undefined || this.packer.memoryBytes > MAX_PACKER_BYTES)
      this.packer = new IncrementalPacker(this.shared, bounds);
    return this.packer;
  }
}

/** The part of a problem that queries share. */
function sharedProblem(problem: PackerProblem): SharedProblem {
  const {
    templateNodes,
    nodeCount,
    nodeSet,
    nodeTaintSet,
    nodeRemaining,
    nodePorts,
    nodeUsable,
    limitRemaining,
    topologyActive,
    topologyDomains,
    topologyInitial,
    hostInitial,
    runCount,
    runs,
    reservedFallback,
    tieSeed,
    ...shared
  } = problem;
  return shared;
}
