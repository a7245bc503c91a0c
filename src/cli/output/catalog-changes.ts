import type { CatalogChanges, PriceChange } from '../../catalog';
import type { UpdatedCatalog } from '../aws';

const SHOWN = 5;
const WIDTH = 16;

/** What a new catalogue changes, compared with the data of this package. */
export function changesText({ changes, disagreeing }: UpdatedCatalog, file: string): string {
  const { region, made, zones, embedded, withoutPrice } = changes;
  return [
    `${region}: wrote ${file}, a catalogue of ${count(changes.instanceTypes, 'instance type')} and ${count(zones.length, 'zone')}, made ${made}`,
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
          `EC2 lists other zones by name than by ID for ${listed(disagreeing)}; those by name are used, as in Karpenter.`,
        ]),
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
    ...(unchangedPrices === 0 ? [] : [`  ${'same price'.padEnd(WIDTH)}${count(unchangedPrices, 'type')}`]),
  ];
}

function row(title: string, values: readonly string[], shown = SHOWN): string {
  return `  ${title.padEnd(WIDTH)}${values.length > shown ? `${values.length}: ` : ''}${listed(values, shown)}`;
}

function listed(values: readonly string[], shown = SHOWN): string {
  const more = values.length - shown;
  return [...values.slice(0, shown), ...(more > 0 ? [`and ${more.toLocaleString('en-US')} more`] : [])].join(', ');
}

function priceText({ instanceType, before, after }: PriceChange, currency: string): string {
  const percent = (after / before - 1) * 100;
  return `${instanceType} ${before.toFixed(4)} → ${after.toFixed(4)} ${currency}/h (${percent > 0 ? '+' : ''}${percent.toFixed(Math.abs(percent) < 10 ? 1 : 0)}%)`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
