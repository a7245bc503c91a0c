import { Consent, PoolChange } from './changes/pool-change';
import { leftBehind, passesWithoutReasons, planOfPasses, ScheduleInput } from '../../scheduling';
import { PlanCost } from '../check/cost';
import { CheckSession } from '../context/check-session';
import { settleFleets } from '../context/settled-fleets';

/** The most changes that are made together. */
const MAX_CHANGES = 4;
/** So that an input of 200 Deployments ends in seconds. Each try schedules all pods. */
const MAX_TRIES = 180;
const MIN_TRIES = 50;
const WORK = 20_000;
/** Each try then settles several fleets. */
const WORK_WITH_ORDER = 1_000;
/** Single changes leave this part of the tries to changes that are made together. */
const PART_OF_SINGLES = 0.7;
/** How many single changes are tried again together with others. */
const MAX_AGAIN = 12;
const MAX_OF_SUBJECT = 2;
/** A change that saves less is not worth its review. */
export const MIN_SAVING = 0.02;
/** How many single changes are kept beside the cheapest, because they need fewer nodes. */
const MAX_GENTLER = 2;

/** Changes that belong together, and what they lead to after the first passes of the provisioner. */
export interface ChangeCandidate {
  readonly changes: readonly PoolChange[];
  readonly usdPerHour: number;
  readonly nodes: number;
}

export interface SearchResult {
  /** Cheapest first. */
  readonly candidates: readonly ChangeCandidate[];
  readonly tried: number;
  /** Whether changes were left that were not tried. */
  readonly isCut: boolean;
}

interface Outcome extends ChangeCandidate {
  /** Pods without a node. */
  readonly pending: number;
}

/**
 * The changes that save most, alone and with others: for each set of consents that the changes need, and the changes
 * that save less with fewer nodes.
 *
 * @param isAllowed whether the whole check has no objection. Only called for changes that save
 * @param maxChanges how many are made together
 */
export function searchChanges(
  session: CheckSession,
  changes: readonly PoolChange[],
  isAllowed: (changes: readonly PoolChange[]) => boolean,
  maxChanges = MAX_CHANGES,
): SearchResult {
  return new ChangeSearch(session, isAllowed, maxChanges).run(changes);
}

class ChangeSearch {
  private readonly before: Outcome;
  private readonly maxTries: number;
  private readonly outcomes = new Map<string, Outcome>();
  private isCut = false;

  public constructor(
    private readonly session: CheckSession,
    private readonly isAllowed: (changes: readonly PoolChange[]) => boolean,
    private readonly maxChanges: number,
  ) {
    const { pods } = session.input;
    const [work, least] = session.options.settle?.order === undefined ? [WORK, MIN_TRIES] : [WORK_WITH_ORDER, 12];
    this.maxTries = Math.min(MAX_TRIES, Math.max(least, Math.floor(work / Math.max(1, pods.length))));
    this.before = this.tryChanges([]);
  }

  public run(changes: readonly PoolChange[]): SearchResult {
    const singles = this.inTurn(changes).flatMap((change) => this.outcomeOf([change], PART_OF_SINGLES) ?? []);
    const consents = [...new Set(changes.flatMap(({ consent }) => consent ?? []))];
    const sets = [[], ...consents.map((consent) => [consent]), ...(consents.length > 1 ? [consents] : [])];
    const found = [
      ...this.gentler(singles.filter(({ changes: [change] }) => change.consent === undefined)),
      ...sets.flatMap((set) => this.together(singles, set)),
    ];
    const candidates = [...new Map(found.map((outcome) => [keyOf(outcome.changes), outcome])).values()];
    return {
      candidates: candidates.sort((left, right) => left.usdPerHour - right.usdPerHour),
      tried: this.outcomes.size,
      isCut: this.isCut,
    };
  }

  /** The cheapest single change that needs all of the consents together, and what others add to it. */
  private together(singles: readonly Outcome[], consents: readonly Consent[]): Outcome[] {
    const usable = singles
      .filter(({ changes: [{ consent }] }) => consent === undefined || consents.includes(consent))
      .sort(byPrice);
    const again = worthTryingAgain(usable.map(({ changes: [change] }) => change));
    let current = this.before;
    const found: Outcome[] = [];
    while (current.changes.length < this.maxChanges) {
      const { changes } = current;
      const missing = consents.filter((consent) => !changes.some((change) => change.consent === consent));
      const next = again
        .filter(({ consent }) => missing.length === 0 || missing.includes(consent!))
        .filter((change) => !changes.some((other) => excludes(other, change)))
        .flatMap((change) => this.outcomeOf([...changes, change]) ?? [])
        .filter((outcome) => this.isCheaper(outcome, current.usdPerHour))
        .sort(byPrice)
        .find((outcome) => this.isAllowed(outcome.changes));
      if (next === undefined) break;
      if (missing.length <= 1) found.push(next);
      current = next;
    }
    return found;
  }

  /** The cheapest ones that each need fewer nodes than all cheaper ones. */
  private gentler(singles: readonly Outcome[]): Outcome[] {
    let fewest = Infinity;
    const front = singles
      .filter((outcome) => this.isCheaper(outcome, this.before.usdPerHour))
      .sort(byPrice)
      .filter(({ changes, nodes }) => {
        if (nodes >= fewest || !this.isAllowed(changes)) return false;
        fewest = nodes;
        return true;
      });
    return front.slice(0, 1 + MAX_GENTLER);
  }

  private isCheaper({ usdPerHour, pending }: Outcome, than: number): boolean {
    return pending <= this.before.pending && usdPerHour < than * (1 - MIN_SAVING);
  }

  /** The first changes of all NodePools, then their second ones, so that a bound on tries cuts all alike. */
  private inTurn(changes: readonly PoolChange[]): PoolChange[] {
    const places = new Map<string, number>();
    return changes
      .map((change) => {
        const place = places.get(change.nodePool) ?? 0;
        places.set(change.nodePool, place + 1);
        return { change, place };
      })
      .sort((left, right) => left.place - right.place)
      .map(({ change }) => change);
  }

  /** Undefined if the tries are used up. */
  private outcomeOf(changes: readonly PoolChange[], part = 1): Outcome | undefined {
    const key = keyOf(changes);
    const known = this.outcomes.get(key);
    if (known !== undefined) return known;
    if (this.outcomes.size >= this.maxTries * part) {
      this.isCut = true;
      return undefined;
    }
    this.session.options.onProgress?.({ task: 'trying changes of NodePools, change', done: this.outcomes.size });
    const outcome = this.tryChanges(changes);
    this.outcomes.set(key, outcome);
    return outcome;
  }

  private tryChanges(changes: readonly PoolChange[]): Outcome {
    const { input: given, catalog, model, options } = this.session;
    const quiet = { ...options, onProgress: undefined };
    const nodePools = changes.reduce((pools, change) => change.apply(pools), given.nodePools);
    const input: ScheduleInput = { ...given, nodePools };
    const passes = passesWithoutReasons(input, catalog);
    // If workloads come one after the other, the passes over all of them together plan other nodes.
    const settled =
      options.settle?.order && settleFleets({ model, options: quiet, catalog, input }, passes, options.settle);
    const plan = settled?.plan ?? planOfPasses(passes);
    const waiting = leftBehind(passes[passes.length - 1].solved);
    return {
      changes,
      usdPerHour: new PlanCost({ input, catalog, plan }).usdPerHour() ?? Infinity,
      nodes: plan.nodeClaims.length,
      pending: settled ? plan.unschedulable.length : [...waiting.values()].reduce((sum, count) => sum + count, 0),
    };
  }
}

/** All that need a consent, and the first of each subject, which are the cheapest ones. */
function worthTryingAgain(changes: readonly PoolChange[]): PoolChange[] {
  const counts = new Map<string, number>();
  const first = changes.filter(({ nodePool, subject, consent }) => {
    const key = JSON.stringify([nodePool, subject]);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return consent === undefined && count < MAX_OF_SUBJECT;
  });
  return [...changes.filter(({ consent }) => consent !== undefined), ...first.slice(0, MAX_AGAIN)];
}

function byPrice(left: Outcome, right: Outcome): number {
  return left.usdPerHour - right.usdPerHour;
}

function keyOf(changes: readonly PoolChange[]): string {
  return JSON.stringify(changes.map(({ nodePool, description }) => `${nodePool} ${description}`).sort());
}

/** Two bounds of one NodePool would be one line too many. */
function excludes(left: PoolChange, right: PoolChange): boolean {
  return (
    left.nodePool === right.nodePool &&
    (left.subject === right.subject || left.subject === 'whole' || right.subject === 'whole')
  );
}
