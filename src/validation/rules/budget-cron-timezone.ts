import { timeZoneOfRegion } from '../../contract';
import { CronSchedule, parseGoDuration } from '../../model';
import { allowsNone } from './private/budget-windows';
import { clockTime, offsetsOf } from './private/local-time';
import { fail, notEvaluated, pass } from './private/outcome';
import { DisruptionBudget, PoolDisruption, poolDisruptions } from './private/pool-disruption';
import { Outcome, Rule, RuleContext } from './rule';

const HOUR = 60;
/** When people's work begins, in minutes since midnight. */
const OFFICE_START = { earliest: 6 * HOUR, latest: 11 * HOUR };
/** How long it lasts. */
const OFFICE_DAY = { shortest: 6 * HOUR, longest: 13 * HOUR };
/** A week that begins on a Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const SATURDAY = Date.UTC(2024, 0, 6);
const WEEK_END = Date.UTC(2024, 0, 8);
const MINUTE_MS = 60_000;

interface OfficeHours {
  readonly index: number;
  /** In UTC, minutes since midnight. */
  readonly start: number;
  /** Minutes. */
  readonly lasts: number;
}

/** @see https://karpenter.sh/docs/concepts/disruption/#schedule */
export class BudgetCronTimezone implements Rule {
  public readonly id = 'KARP-420';
  public readonly name = 'budget-cron-timezone';
  public readonly severity = 'info';
  public readonly summary = 'A disruption budget forbids disruption at what look like the hours of work, in UTC as all schedules are: where the region is, it is night, or half a day later.';

  public check(context: RuleContext): Outcome[] {
    const { region } = context.options;
    const timeZone = region === undefined ? undefined : timeZoneOfRegion(region);
    return poolDisruptions(context).flatMap((pool) => {
      if (pool.why !== undefined) return [notEvaluated(pool.object, pool.why)];
      const hours = pool.disruption.budgets.flatMap((budget, index) => officeHours(budget, index) ?? []);
      if (hours.length === 0) return [];
      if (region === undefined || timeZone === undefined) return [notEvaluated(pool.disruption.object, 'in which time zone its budgets are meant is not in the input: no region says it')];
      const offsets = offsetsOf(timeZone);
      const wrong = hours.find(({ start }) => offsets.every((offset) => !isOffice(start + offset)));
      return [wrong === undefined ? pass(pool.disruption.object) : this.finding(pool.disruption, wrong, { region, timeZone, offsets })];
    });
  }

  private finding({ object, budgets }: PoolDisruption, { index, start, lasts }: OfficeHours, { region, timeZone, offsets }: Place): Outcome {
    const [usual, other] = offsets.map((offset) => `${clockTime(start + offset)} to ${clockTime(start + offset + lasts)}`);
    const local = other === undefined ? usual : `${usual} in January and ${other} in July`;
    const [meant] = offsets.map((offset) => start - offset);
    return fail({
      object,
      path: ['spec', 'disruption', 'budgets', index, 'schedule'],
      message: `forbids disruption at "${budgets[index].schedule}" for ${budgets[index].duration}, which is UTC: in ${region} (${timeZone}) that is ${local}`,
      remedy: `leave it if it is meant so; ${clockTime(start)} in ${timeZone} is ${clockTime(meant)} UTC${dayOf(meant)}${other === undefined ? '' : ' in January'}`,
      evidence: { region, timeZone, utc: clockTime(start), local },
    });
  }
}

interface Place {
  readonly region: string;
  readonly timeZone: string;
  readonly offsets: readonly number[];
}

/** What keeps nodes from Monday to Friday, once a day, for as long as people work. */
function officeHours(budget: DisruptionBudget, index: number): OfficeHours | undefined {
  const { schedule, duration } = budget;
  const cron = schedule === undefined ? undefined : CronSchedule.tryParse(schedule);
  const lasts = duration === undefined ? undefined : (parseGoDuration(duration) ?? 0) / MINUTE_MS;
  if (!cron || lasts === undefined || !allowsNone(budget)) return undefined;
  const starts = cron.firings(MONDAY, SATURDAY).map((time) => (time - MONDAY) / MINUTE_MS % (24 * HOUR));
  const start = starts[0];
  const daily = starts.length === 5 && starts.every((each) => each === start) && cron.firings(SATURDAY, WEEK_END).length === 0;
  const likeOffice = daily && isOffice(start) && lasts >= OFFICE_DAY.shortest && lasts <= OFFICE_DAY.longest;
  return likeOffice ? { index, start, lasts } : undefined;
}

function isOffice(minutes: number): boolean {
  const ofDay = (minutes % (24 * HOUR) + 24 * HOUR) % (24 * HOUR);
  return ofDay >= OFFICE_START.earliest && ofDay <= OFFICE_START.latest;
}

function dayOf(minutes: number): string {
  return minutes < 0 ? ' of the day before' : minutes >= 24 * HOUR ? ' of the day after' : '';
}
