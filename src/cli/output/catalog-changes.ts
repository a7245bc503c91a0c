import type { CatalogChanges, PriceChange, PublicChanges } from '../../catalog';
import { countText, hourlyPriceText, numberText, shortListText, stepsText } from '../../model';
import type { UpdatedCatalog } from '../aws';

const SHOWN = 5;
const WIDTH = 16;
/** Embedded prices have about five digits. */
const SAME_PRICE = 0.0005;

/** What a new catalogue changes, compared with the data of this package. */
export function changesText({ changes, disagreeing }: UpdatedCatalog, file: string): string {
  const { region, made, zones, embedded, withoutPrice } = changes;
  return [
    `${region}: wrote ${file}, a catalogue of ${countText(changes.instanceTypes, 'instance type')} and ${countText(zones.length, 'zone')}, made ${made}`,
    row(
      'zones',
      zones.map(([name, id]) => `${name}=${id}`),
      zones.length,
    ),
    ...(embedded === undefined
      ? ['This package has no data of the region to compare with.']
      : comparison(changes, embedded.pricesOf)),
    ...(withoutPrice.length === 0 ? [] : [row('without a price', withoutPrice)]),
    ...(disagreeing.length === 0
      ? []
      : [
          `EC2 lists other zones by name than by ID for ${shortListText(disagreeing, SHOWN)}; those by name are used, as in Karpenter.`,
        ]),
    '',
  ].join('\n');
}

/** What published prices change, compared with the data of this package. */
export function publicChangesText(changes: PublicChanges, file: string): string {
  const { region, pricesOf, spotOf, instanceTypes, embedded, currency, unknownTypes, withoutPrice } = changes;
  const spot = spotOf === undefined ? 'and no spot prices' : `and spot prices of ${spotOf}`;
  const ratios = changes.prices.map((change) => ({ ...change, ratio: change.after / change.before - 1 }));
  const changed = ratios
    .filter(({ ratio }) => Math.abs(ratio) > SAME_PRICE)
    .sort((left, right) => Math.abs(right.ratio) - Math.abs(left.ratio));
  const rows: ReadonlyArray<readonly [string, readonly string[]]> = [
    ['dearer', changed.filter(({ ratio }) => ratio > 0).map((change) => priceText(change, currency))],
    ['cheaper', changed.filter(({ ratio }) => ratio < 0).map((change) => priceText(change, currency))],
    ['without a price', withoutPrice],
  ];
  const same = changes.prices.length - changed.length;
  return [
    `${region}: wrote ${file}, published on-demand prices of ${pricesOf} of ${countText(instanceTypes, 'instance type')}, ${spot}`,
    ...(embedded === undefined
      ? ['This package has no data of the region to compare with.']
      : [
          `Compared with the data of this package, whose on-demand prices are of ${embedded.pricesOf}:`,
          ...rows.filter(([, values]) => values.length > 0).map(([title, values]) => row(title, values)),
          ...(same === 0 ? [] : [`  ${'same price'.padEnd(WIDTH)}${countText(same, 'type')}`]),
        ]),
    ...(unknownTypes.length === 0
      ? []
      : [`No plan uses ${shortListText(unknownTypes, SHOWN)}: this package does not know these instance types.`]),
    '',
  ].join('\n');
}

function comparison(changes: CatalogChanges, pricesOf: string): string[] {
  const { newTypes, goneTypes, newZones, goneZones, movedTypes, dearer, cheaper, unchangedPrices, currency } = changes;
  const rows: ReadonlyArray<readonly [string, readonly string[]]> = [
    ['new types', newTypes],
    ['gone types', goneTypes],
    ['new zones', newZones],
    ['gone zones', goneZones],
    ['in other zones', movedTypes],
    ['dearer', dearer.map((change) => priceText(change, currency))],
    ['cheaper', cheaper.map((change) => priceText(change, currency))],
  ];
  const changed = rows.filter(([, values]) => values.length > 0);
  return [
    `Compared with the data of this package, whose on-demand prices are of ${pricesOf}:`,
    ...changed.map(([title, values]) => row(title, values)),
    ...(unchangedPrices === 0 ? [] : [`  ${'same price'.padEnd(WIDTH)}${countText(unchangedPrices, 'type')}`]),
  ];
}

function row(title: string, values: readonly string[], shown = SHOWN): string {
  return `  ${title.padEnd(WIDTH)}${values.length > shown ? `${numberText(values.length)}: ` : ''}${shortListText(values, shown)}`;
}

function priceText({ instanceType, before, after }: PriceChange, currency: string): string {
  const percent = (after / before - 1) * 100;
  return `${instanceType} ${stepsText(hourlyPriceText(before, currency), hourlyPriceText(after, currency))} (${percent > 0 ? '+' : ''}${percent.toFixed(Math.abs(percent) < 10 ? 1 : 0)}%)`;
}
