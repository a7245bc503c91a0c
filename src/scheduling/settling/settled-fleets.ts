import { classesOf } from './pod-order';
import { settle, SettledFleet, settlingBase, SettlingOptions } from './settle';
import { Catalog } from '../../catalog';
import { SchedulingSession } from '../incremental/session';
import { ScheduleInput } from '../input/schedule-input';
import { SolvedInput, solveInput } from '../provisioning/solve';

/** How many orders of names and UIDs are simulated for small inputs. */
const MAX_ORDERS = 20;
const MIN_ORDERS = 3;
/**
 * Beyond this work, no more than the fewest orders are simulated. Work is that of `SchedulingSession`, and one for each
 * pod of each order. It depends only on the input, so that the same input gives the same result on every machine.
 */
const MAX_WORK = 50_000;
/** Beyond this work, no further order is simulated at all. */
const MAX_WORK_OF_FEWEST = 1_000_000;

export interface SettledFleetsOptions extends Omit<SettlingOptions, 'seed'> {
  /** How many orders are simulated. @default - 20, and fewer for large inputs */
  readonly orders?: number;
  /** At most this many orders. @default 20 */
  readonly maxOrders?: number;
  /** The first pass over the input, if it is solved already. */
  readonly first?: SolvedInput;
  /** Called before each order, with the number of finished ones. */
  readonly onOrder?: (finished: number) => void;
}

/**
 * The fleets that Karpenter ends with, one for each order of names and UIDs. Names of NodeClaims, UIDs of pods and the
 * zones of EC2 are random, so that the same manifests give one of several fleets. Orders are drawn from fixed seeds.
 */
export function settledFleets(input: ScheduleInput, catalog: Catalog, options: SettledFleetsOptions): SettledFleet[] {
  const {
    maxOrders = MAX_ORDERS,
    orders = maxOrders,
    first = solveInput(input, catalog),
    onOrder,
    ...settling
  } = options;
  const session = new SchedulingSession(catalog);
  const base = settlingBase(input, first, classesOf(first), session);
  const pods = input.pods.reduce((sum, { count }) => sum + count, 0);
  const fleets: SettledFleet[] = [];
  while (fleets.length < orders) {
    const maxWork = fleets.length < MIN_ORDERS ? MAX_WORK_OF_FEWEST : MAX_WORK;
    const isEnough = session.work + fleets.length * pods > maxWork;
    if (options.orders === undefined && isEnough) break;
    onOrder?.(fleets.length);
    fleets.push(settle(base, { ...settling, seed: fleets.length + 1 }));
  }
  return fleets;
}
