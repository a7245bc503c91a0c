import { Answer } from '../conformance/schedule/answer';
import { Oracle } from '../conformance/schedule/oracle';
import { SchedulePlan } from '../src/scheduling';

/** Whether Karpenter puts the same pods together: as it is, or once it walks its maps in the order of their keys, which it leaves to chance. */
export type Agreement = 'yes' | 'in the order of keys' | 'no';

type Nodes = Pick<Answer, 'nodeClaims'> | Pick<SchedulePlan, 'nodeClaims'>;

/** Karpenter with its maps in order, started when it is first asked. */
export class Umpire {
  private ordered?: Promise<Oracle>;

  public async agreement(plan: Nodes, answer: Nodes, question: Parameters<Oracle['solve']>[0]): Promise<Agreement> {
    if (partition(answer) === partition(plan)) return 'yes';
    this.ordered ??= Oracle.startInMapOrder();
    const [inOrder] = await (await this.ordered).solve(question, 1);
    return partition(inOrder) === partition(plan) ? 'in the order of keys' : 'no';
  }

  public async stop(): Promise<void> {
    (await this.ordered)?.stop();
  }
}

/** Which pods are on a node together, in an order of its own. */
function partition({ nodeClaims }: Nodes): string {
  return nodeClaims.map(({ pods }) => [...pods].sort().join()).sort().join('\n');
}
