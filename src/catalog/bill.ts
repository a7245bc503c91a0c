import { PriceSource } from './prices';
import { WINDOWS_LICENCE_OF, windowsLicence } from './windows-licence';

/** An offering as Karpenter compares it. */
export interface BilledOffer {
  readonly instanceType: string;
  readonly capacityType: string;
  /** The price that Karpenter compares, in the currency of the region. */
  readonly usdPerHour: number;
  readonly isWindows?: boolean;
  /** Whether a NodeOverlay sets the price. */
  readonly isOverlaid?: boolean;
}

/** What EC2 charges for an instance, or why that is unknown. */
export type Bill =
  | { readonly pricePerHour: number; readonly source: PriceSource }
  | { readonly pricePerHour: null; readonly why: string };

interface LinuxPrice {
  readonly pricePerHour: number;
  readonly source: PriceSource;
  readonly vcpus: number;
  readonly currency: string;
}

/** Adds the licence of Windows, which Karpenter does not count. */
export function billOf(
  { instanceType, isWindows = false }: BilledOffer,
  { pricePerHour, source, vcpus, currency }: LinuxPrice,
): Bill {
  if (!isWindows) return { pricePerHour, source };
  const licence = currency === 'USD' ? windowsLicence(instanceType, vcpus) : undefined;
  if (licence === undefined)
    return {
      pricePerHour: null,
      why: `the price of the Windows licence on ${instanceType} is unknown${currency === 'USD' ? '' : ` in ${currency}`}`,
    };
  return {
    pricePerHour: Math.round((pricePerHour + licence) * 1e6) / 1e6,
    source: source.kind === 'assumed' ? source : { kind: 'derived', date: WINDOWS_LICENCE_OF },
  };
}
