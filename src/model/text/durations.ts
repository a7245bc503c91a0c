import { numberText } from './numbers';

interface Unit {
  readonly seconds: number;
  readonly name: (amount: number) => string;
}

const DAY: Unit = { seconds: 86_400, name: (amount) => (amount === 1 ? 'day' : 'days') };
const HOUR: Unit = { seconds: 3600, name: () => 'h' };
const MINUTE: Unit = { seconds: 60, name: () => 'min' };
const SECOND: Unit = { seconds: 1, name: () => 's' };
const UNITS = [DAY, HOUR, MINUTE, SECOND];

/** Below this, a measured duration keeps its seconds. */
const TEN_MINUTES = 600;

/**
 * A duration that somebody configured, exactly: `30 days`, `1 h 30 min`, `13 min`, `90 s`. Units that are zero are left
 * out. Below two minutes it is in seconds, as grace periods are, except one minute.
 */
export function durationText(seconds: number): string {
  if (seconds < 2 * MINUTE.seconds && seconds !== MINUTE.seconds) return `${numberText(seconds)} s`;
  let left = Math.round(seconds);
  return UNITS.flatMap(({ seconds: size, name }) => {
    const amount = Math.floor(left / size);
    left -= amount * size;
    return amount === 0 ? [] : [`${numberText(amount)} ${name(amount)}`];
  }).join(' ');
}

/**
 * A duration that was measured or estimated, in at most two units: `45 s`, `2 min 20 s`, `13 min`, `1 h 5 min`,
 * `3 days 4 h`. Seconds are left out from ten minutes, and minutes from a day.
 */
export function roundedDurationText(seconds: number): string {
  const precision = seconds < TEN_MINUTES ? SECOND : seconds < DAY.seconds ? MINUTE : HOUR;
  return durationText(Math.round(seconds / precision.seconds) * precision.seconds);
}

/** A point in time of a simulation, for columns of events, which align: `00:01:20`. In sentences, use a duration. */
export function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
