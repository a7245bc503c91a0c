const USD = 'USD';

/** The average number of hours in a month, as AWS uses it in prices per month. */
const HOURS_PER_MONTH = 730;

/**
 * A price without a unit for tables, to a hundredth of a cent as in EC2's price list: `0.0960`; `-` if it is unknown.
 */
export function formatPrice(price: number | null): string {
  return price === null ? '-' : price.toFixed(4);
}

/** `$0.0960/h`, or `CNY 0.0960/h`, or `an unknown price`. */
export function hourlyPrice(pricePerHour: number | null, currency = USD): string {
  return pricePerHour === null ? 'an unknown price' : `${currencySign(currency)}${formatPrice(pricePerHour)}/h`;
}

/** `$20.57/h`, or as `hourlyPrice` below $1. */
export function roundedHourlyPrice(pricePerHour: number, currency = USD): string {
  return pricePerHour < 1
    ? hourlyPrice(pricePerHour, currency)
    : `${currencySign(currency)}${pricePerHour.toFixed(2)}/h`;
}

/** The unit of a column of prices: `$/h`, or `CNY/h`. */
export function priceUnit(currency = USD): string {
  return `${currency === USD ? '$' : currency}/h`;
}

function currencySign(currency: string): string {
  return currency === USD ? '$' : `${currency} `;
}

/** `$70/month`, or with cents below $10. */
export function monthlyPrice(pricePerHour: number, currency = USD): string {
  const usd = pricePerHour * HOURS_PER_MONTH;
  const digits = usd < 10 ? 2 : 0;
  return `${currencySign(currency)}${usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}/month`;
}

/** `$0.0960`, or with cents from $1: for drawings with little room. */
export function shortPrice(pricePerHour: number, currency = USD): string {
  return `${currencySign(currency)}${pricePerHour < 1 ? formatPrice(pricePerHour) : pricePerHour.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
