import { Answer } from '../conformance/schedule/answer';
import { ScheduleOracle } from '../conformance/schedule/oracle';
import { SchedulePlan } from '../src/scheduling';

/**
 * Whether Karpenter puts the same pods together: as released, or only with its maps iterated in key order instead of
 * Go's random order.
 */
export type Agreement = 'yes' | 'in the order of keys' | 'no';

type Nodes = Pick<Answer, 'nodeClaims'> | Pick<SchedulePlan, 'nodeClaims'>;

/** Karpenter with maps in key order, started on first use. */
export class Umpire {
  private ordered?: Promise<ScheduleOracle>;

  public async agreement(
    plan: Nodes,
    answer: Nodes,
    question: Parameters<ScheduleOracle['solve']>[0],
  ): Promise<Agreement> {
    if (partition(answer) === partition(plan)) return 'yes';
    this.ordered ??= ScheduleOracle.startInMapOrder();
    const [inOrder] = await (await this.ordered).solve(question, 1);
    return partition(inOrder) === partition(plan) ? 'in the order of keys' : 'no';
  }

  public async stop(): Promise<void> {
    (await this.ordered)?.stop();
  }
}

/** The pods that share each node, sorted, so that two answers can be compared. */
function partition({ nodeClaims }: Nodes): string {
  return nodeClaims
    .map(({ pods }) => [...pods].sort().join())
    .sort()
    .join('\n');
}
