import { fixedText } from './numbers';

const USD = 'USD';
const UNKNOWN = 'an unknown price';
/** The average number of hours in a month, as AWS uses it in prices per month. */
export const HOURS_PER_MONTH = 730;

/** To a hundredth of a cent as EC2's price list, and to cents from $1. A price of 0 has no decimals. */
const HOURLY_DECIMALS = [
  { below: 1, decimals: 4 },
  { below: Infinity, decimals: 2 },
];
/** Whole dollars, and cents below $10. */
const MONTHLY_DECIMALS = [
  { below: 10, decimals: 2 },
  { below: Infinity, decimals: 0 },
];
/** Cents, and whole dollars from $1,000. */
const DAILY_DECIMALS = [
  { below: 1_000, decimals: 2 },
  { below: Infinity, decimals: 0 },
];

/** `$0.0960/h`, `$1.54/h`, `$20.57/h`, `CNY 0.0960/h`, or `an unknown price` for null. */
export function hourlyPriceText(perHour: number | null, currency = USD): string {
  return perHour === null ? UNKNOWN : `${hourlyAmountText(perHour, currency)}/h`;
}

/** `$70/month`, `$1,402/month`, `$7.01/month`, or `an unknown price` for null. @param perHour the price an hour */
export function monthlyPriceText(perHour: number | null, currency = USD): string {
  return perHour === null ? UNKNOWN : `${monthlyAmountText(perHour, currency)}/month`;
}

/** As `hourlyPriceText` without the unit, for places that name the unit themselves: `$0.0960`. */
export function hourlyAmountText(perHour: number, currency = USD): string {
  return amountOf(perHour, currency, HOURLY_DECIMALS);
}

/** As `monthlyPriceText` without the unit: `$70`. @param perHour the price an hour */
export function monthlyAmountText(perHour: number, currency = USD): string {
  return amountOf(monthlyPrice(perHour), currency, MONTHLY_DECIMALS);
}

/** `$41.20/day`, `$1,402/day`. @param perDay the price a day */
export function dailyPriceText(perDay: number, currency = USD): string {
  return `${dailyAmountText(perDay, currency)}/day`;
}

/** As `dailyPriceText` without the unit: `$41.20`. @param perDay the price a day */
export function dailyAmountText(perDay: number, currency = USD): string {
  return amountOf(perDay, currency, DAILY_DECIMALS);
}

/** A cell in a column of prices an hour, whose decimal points align: `0.0960`; `-` if the price is unknown. */
export function hourlyPriceCell(perHour: number | null): string {
  return perHour === null ? '-' : fixedText(perHour, 4);
}

/** The unit of a column of prices: `$/h`, or `CNY/h`. */
export function hourlyPriceUnit(currency = USD): string {
  return `${currency === USD ? '$' : currency}/h`;
}

/** The price of a month of 730 hours. */
export function monthlyPrice(perHour: number): number {
  return perHour * HOURS_PER_MONTH;
}

function amountOf(amount: number, currency: string, steps: typeof HOURLY_DECIMALS): string {
  const sign = currency === USD ? '$' : `${currency} `;
  const size = Math.abs(amount);
  // The rounded amount decides, so that $9.999 is $10 and not $10.00.
  const { decimals } = steps.find((step) => Number(size.toFixed(step.decimals)) < step.below)!;
  return `${amount < 0 ? '-' : ''}${sign}${size === 0 ? '0' : fixedText(size, decimals)}`;
}
