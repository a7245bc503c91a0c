import { valueText } from '../../model';

/** A day of the calendar as `YYYY-MM-DD`. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Notations of a day, with the order of their numbers. A slash is American, except if the first number is no month. */
const NOTATIONS: ReadonlyArray<readonly [pattern: RegExp, order: string]> = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, 'ymd'],
  [/^(\d{4})(\d{2})(\d{2})$/, 'ymd'],
  [/^(\d{4})-(\d{2})-(\d{2})[T ].*$/, 'ymd'],
  [/^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})$/, 'dmy'],
  [/^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/, 'mdy'],
  [/^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/, 'dmy'],
];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WITH_MONTH = /^(?:(\d{1,2})\.? ([a-z]{3,9})|([a-z]{3,9}) (\d{1,2})),? (\d{4})$/i;
const LAST_DAY = 31;

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The same day as `YYYY-MM-DD`, or that form if the text is no day in another notation. */
export function dayRemedy(written: unknown): string {
  const [day, other] = likelyDays(valueText(written).trim());
  return `${day ?? 'YYYY-MM-DD, a day of the calendar'}${other === undefined ? '' : `, or ${other} if the day comes first`}`;
}

/** The days, as `YYYY-MM-DD`, that a text in another notation can mean. The last day of a month for one after it. */
function likelyDays(text: string): string[] {
  const [, firstDay, month, otherMonth, day, yearOfMonth] = WITH_MONTH.exec(text) ?? [];
  const ofMonth = MONTHS.indexOf((month ?? otherMonth ?? '').slice(0, 3).toLowerCase()) + 1;
  const days = [
    ...(ofMonth > 0 ? [dayOf(yearOfMonth, String(ofMonth), firstDay ?? day)] : []),
    ...NOTATIONS.map(([pattern, order]) => {
      const [, ...numbers] = pattern.exec(text) ?? [];
      const part = (letter: string) => numbers[order.indexOf(letter)];
      return numbers.length === 0 ? undefined : dayOf(part('y'), part('m'), part('d'));
    }),
  ];
  return [...new Set(days.filter((candidate) => candidate !== undefined))];
}

function dayOf(year: string, month: string, day: string): string | undefined {
  const start = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}`;
  if (Number(day) < 1 || Number(day) > LAST_DAY) return undefined;
  // Shorter months have at least 28 days.
  for (let candidate = Number(day); candidate >= Math.min(28, Number(day)); candidate--) {
    const text = `${start}-${String(candidate).padStart(2, '0')}`;
    if (isDay(text)) return text;
  }
  return undefined;
}
