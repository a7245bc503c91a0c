import { Cron, Duration } from 'cdk8s';
import { shownNumber } from '../model';
import { DisruptionBudget, DisruptionReason } from '../nodes';
import { blockedTimes } from './private/blocked-times';

/**
 * Day of the week, in UTC.
 */
export enum WeekDay {
  /** Sunday. */
  SUNDAY = 'SUN',
  /** Monday. */
  MONDAY = 'MON',
  /** Tuesday. */
  TUESDAY = 'TUE',
  /** Wednesday. */
  WEDNESDAY = 'WED',
  /** Thursday. */
  THURSDAY = 'THU',
  /** Friday. */
  FRIDAY = 'FRI',
  /** Saturday. */
  SATURDAY = 'SAT',
}

/**
 * When a maintenance window opens, and for how long.
 */
export interface MaintenanceWindowOptions {
  /**
   * Days on which the window opens.
   *
   * @default - every day
   */
  readonly weekDays?: WeekDay[];

  /**
   * Hour of the day in UTC at which the window opens: a whole number from 0 to 23.
   */
  readonly startHour: number;

  /**
   * How long the window stays open, in whole minutes, from one minute to 24 hours.
   */
  readonly duration: Duration;

  /**
   * Disruptions that wait for the window.
   *
   * @default [DisruptionReason.DRIFTED]
   */
  readonly reasons?: DisruptionReason[];
}

/**
 * The times at which Karpenter may replace nodes that have drifted, for example because they have an old AMI. Other
 * disruptions, such as the removal of empty nodes, do not wait for the window.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets
 */
export class MaintenanceWindow {
  /**
   * No window: drifted nodes are replaced at any time.
   */
  public static anyTime(): MaintenanceWindow {
    return new MaintenanceWindow([]);
  }

  /**
   * A window on certain days of the week, or on every day.
   *
   * @param options days, hour and length
   * @throws Error if the hour or the length is out of range, or no day or no reason is given
   */
  public static weekly(options: MaintenanceWindowOptions): MaintenanceWindow {
    const { weekDays = Object.values(WeekDay), startHour, duration, reasons = [DisruptionReason.DRIFTED] } = options;
    const minutes = duration.toMinutes({ integral: false });
    if (weekDays.length === 0) reject('weekDays', 'must have at least one day', '[]', 'leave it out for every day');
    // A budget with an empty list of reasons never applies.
    if (reasons.length === 0)
      reject('reasons', 'must have at least one reason', '[]', 'leave it out for DisruptionReason.DRIFTED');
    if (!Number.isSafeInteger(startHour) || startHour < 0 || startHour > 23)
      reject('startHour', 'must be a whole hour from 0 to 23 in UTC', shownNumber(startHour), 'write for example 2');
    if (!Number.isSafeInteger(minutes) || minutes < 1 || minutes > 24 * 60) {
      reject(
        'duration',
        'must be whole minutes, at most 24 hours',
        `${minutes} minutes`,
        'write for example Duration.hours(4)',
      );
    }
    const days = weekDays.map((day) => Object.values(WeekDay).indexOf(day));
    return new MaintenanceWindow(
      blockedTimes({ days, startMinute: startHour * 60, minutes }).map((blocked) =>
        DisruptionBudget.nodes(0, {
          schedule: Cron.schedule({
            minute: String(blocked.minute),
            hour: String(blocked.hour),
            weekDay: blocked.days.join(','),
          }),
          duration: Duration.minutes(blocked.minutes),
          reasons: [...reasons],
        }),
      ),
    );
  }

  private constructor(private readonly blocked: DisruptionBudget[]) {}

  /**
   * Budgets that forbid the disruptions outside of the window, for a NodePool of your own. The list is a copy.
   */
  public get budgets(): DisruptionBudget[] {
    return [...this.blocked];
  }
}

function reject(property: string, problem: string, got: unknown, remedy: string): never {
  throw new Error(`MaintenanceWindow.weekly.${property}: ${problem}, got ${got}; ${remedy}`);
}
