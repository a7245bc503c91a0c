import { Bill } from '../../catalog';
import { CostGap, explainedBound, Offer, PlannedNodeClaim, poolTables, windowsPools } from '../../scheduling';
import { byCodePoint } from '../order';
import { RuleContext } from '../rules';
import { roundedParts } from './costs/allocate-costs';
import { topologyCost } from './costs/topology-cost';
import { AboveLowerBound, CostSummary, OfferVerdict, PriceSourceCount } from '../vocabulary/verdict';

const MILLIONTHS = 1e6;

type CostContext = Pick<RuleContext, 'input' | 'catalog' | 'plan'> & Partial<Pick<RuleContext, 'passesPlan'>>;
type Launched = PlannedNodeClaim & { readonly launch: NonNullable<PlannedNodeClaim['launch']> };

/** What EC2 charges for the planned nodes. Karpenter compares other prices for bare metal and Windows. */
export class PlanCost {
  constructor(private readonly context: CostContext) {}

  /** Whether EC2 charges a licence of Windows for nodes of the NodePool. */
  isWindows(nodePool: string): boolean {
    return windowsPools(this.context.input).has(nodePool);
  }

  /** Of all new nodes; null if there is none, or a price is unknown. */
  usdPerHour(): number | null {
    const { launched, bills } = this.launches();
    const isKnown =
      launched.length > 0 &&
      launched.length === this.context.plan.nodeClaims.length &&
      bills.every(({ pricePerHour }) => pricePerHour !== null);
    return isKnown ? rounded(bills.reduce((sum, { pricePerHour }) => sum + pricePerHour!, 0)) : null;
  }

  summary(): CostSummary {
    const { catalog, input, plan } = this.context;
    const { launched, bills } = this.launches();
    const why = [...new Set(bills.flatMap((bill) => (bill.pricePerHour === null ? [bill.why] : [])))].sort(byCodePoint);
    const usdPerHour = this.usdPerHour();
    const bound = catalog.unknownPrices === undefined ? explainedBound(input, plan, catalog) : undefined;
    const gap = usdPerHour === null ? undefined : bound?.gap(bills.map(({ pricePerHour }) => pricePerHour!));
    const lowerBound = bound === undefined ? null : Math.min(rounded(bound.usdPerHour), usdPerHour ?? Infinity);
    return {
      usdPerHour,
      lowerBoundUsdPerHour: lowerBound,
      ...(gap === undefined || usdPerHour === lowerBound
        ? {}
        : { aboveLowerBound: partsOf(gap, usdPerHour! - lowerBound!) }),
      currency: catalog.currency,
      prices: priceSources(
        launched.flatMap(({ launch }, index) => (launch.cheapest.reservation === undefined ? [bills[index]] : [])),
      ),
      ...(why.length === 0 ? {} : { notEvaluated: why }),
    };
  }

  /** The price, less the difference that topology makes to Karpenter's passes. Schedules the pods several times. */
  topology(): Pick<CostSummary, 'topology'> {
    const { catalog, plan, passesPlan = plan } = this.context;
    const price = this.usdPerHour();
    if (price === null) return {};
    const found = topologyCost({ ...this.context, plan: passesPlan }, (input, freed) =>
      new PlanCost({ input, plan: freed, catalog }).usdPerHour(),
    );
    if (found === undefined || found.added >= price) return {};
    return { topology: { withoutUsdPerHour: rounded(price - found.added), parts: found.parts } };
  }

  private launches(): { readonly launched: readonly Launched[]; readonly bills: readonly Bill[] } {
    const launched = this.context.plan.nodeClaims.filter((claim): claim is Launched => claim.launch !== undefined);
    return { launched, bills: launched.map((claim) => this.billOf(claim.nodePool, claim.launch.cheapest)) };
  }

  /** The offer of a NodePool, with the price that is charged if it is not the one that Karpenter compares. */
  offer(nodePool: string, { instanceType, zone, capacityType, usdPerHour, reservation }: Offer): OfferVerdict {
    const { pricePerHour } = this.billOf(nodePool, { instanceType, zone, capacityType, usdPerHour, reservation });
    const compared = this.context.catalog.unknownPrices === undefined ? usdPerHour : null;
    return {
      instanceType,
      zone,
      capacityType,
      usdPerHour: compared,
      ...(pricePerHour === compared ? {} : { billedPerHour: pricePerHour }),
      ...(reservation === undefined ? {} : { reservation }),
    };
  }

  /** What EC2 charges for a node, or why that is unknown. */
  billOf(nodePool: string, offer: Offer): Bill {
    const { catalog, input } = this.context;
    // Reserved capacity is paid for already.
    if (offer.reservation !== undefined) return { pricePerHour: offer.usdPerHour, source: { kind: 'assumed' } };
    const table = poolTables(input, catalog).tables.get(nodePool);
    const isOverlaid = table?.priceOverlaid?.[table.names.indexOf(offer.instanceType)] === 1;
    return catalog.bill({ ...offer, isOverlaid, isWindows: this.isWindows(nodePool) });
  }
}

/** The parts in millionths, so that they add up to the whole difference. */
function partsOf({ types, unused }: CostGap, difference: number): AboveLowerBound {
  const amounts = [...types, ...unused].map(({ usdPerHour }) => usdPerHour);
  const parts = roundedParts(amounts, Math.round(difference * MILLIONTHS)).map((part) => part / MILLIONTHS);
  return {
    types: types.map((type, index) => ({ ...type, usdPerHour: parts[index] })),
    unused: unused.map(({ what }, index) => ({ what, usdPerHour: parts[types.length + index] })),
  };
}

/** Where the prices come from, most nodes first. */
function priceSources(bills: readonly Bill[]): PriceSourceCount[] {
  const counts = new Map<string, PriceSourceCount>();
  for (const bill of bills) {
    if (bill.pricePerHour === null) continue;
    const { kind, date = null } = bill.source;
    const key = `${kind} ${date}`;
    counts.set(key, { kind, date, nodes: (counts.get(key)?.nodes ?? 0) + 1 });
  }
  return [...counts]
    .sort(([a, left], [b, right]) => right.nodes - left.nodes || byCodePoint(a, b))
    .map(([, count]) => count);
}

/** Removes the noise of summing floating-point prices, which have at most six decimals. */
function rounded(usd: number): number {
  return Math.round(usd * 1e8) / 1e8;
}
