import { OfferVerdict } from './verdict';

/** What EC2 charges for the offer per hour; null if it is unknown. */
export function billedPrice({
  usdPerHour,
  billedPerHour = usdPerHour,
}: Pick<OfferVerdict, 'usdPerHour' | 'billedPerHour'>): number | null {
  return billedPerHour;
}
