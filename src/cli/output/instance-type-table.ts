import { textTable } from './text-table';
import { hourlyPriceCell, hourlyPriceUnit } from '../../model';
import type { ListedInstanceType } from '../../validation';

interface Column {
  readonly head: string;
  readonly align: 'left' | 'right';
  readonly cell: (type: ListedInstanceType) => string;
}

/** A table of instance types, and sentences about its columns. */
export function instanceTypeTable(types: readonly ListedInstanceType[], capacityType: string | undefined): string {
  if (types.length === 0) return '(none)\n';
  const columns = columnsOf(types, capacityType);
  const table = textTable(
    [columns.map(({ head }) => head), ...types.map((type) => columns.map(({ cell }) => cell(type)))],
    columns.map(({ align }) => align),
  );
  return `${table}${legend(types, columns)}\n`;
}

const HEADS = { zones: 'ZONES', spotShare: 'SPOT SHARE', interruption: 'INTERRUPTED', reserved: 'RESERVED' } as const;

function columnsOf(types: readonly ListedInstanceType[], capacityType: string | undefined): Column[] {
  const shows = (wanted: string) => capacityType === undefined || capacityType === wanted;
  const hasSpotRecord = types.some(({ spot }) => spot !== null);
  return [
    { head: 'NAME', align: 'left', cell: ({ name }) => name },
    { head: 'ARCH', align: 'left', cell: ({ labels }) => labels['kubernetes.io/arch'] ?? '' },
    { head: 'CPU', align: 'right', cell: ({ allocatable }) => allocatable.cpu },
    { head: 'MEMORY', align: 'right', cell: ({ allocatable }) => allocatable.memory },
    { head: 'PODS', align: 'right', cell: ({ allocatable }) => allocatable.pods },
    { head: HEADS.zones, align: 'left', cell: zonesText },
    ...(shows('on-demand')
      ? [
          {
            head: 'ON-DEMAND',
            align: 'right',
            cell: (type: ListedInstanceType) => cheapest(type, 'on-demand'),
          } as const,
        ]
      : []),
    ...(shows('spot')
      ? [{ head: 'SPOT', align: 'right', cell: (type: ListedInstanceType) => cheapest(type, 'spot') } as const]
      : []),
    ...(shows('spot') && hasSpotRecord
      ? ([
          { head: HEADS.spotShare, align: 'left', cell: spotShareText },
          {
            head: HEADS.interruption,
            align: 'right',
            cell: (type: ListedInstanceType) => (isOffered(type, 'spot') ? (type.spot?.interruption ?? '-') : '-'),
          },
        ] as const)
      : []),
    ...(types.some((type) => reservations(type) !== '')
      ? [{ head: HEADS.reserved, align: 'left', cell: reservations } as const]
      : []),
  ];
}

/** `a,b,c` without the region; `2 of 6` if it is unknown which zones offer the type; `-` if none does. */
function zonesText(type: ListedInstanceType): string {
  const zones = [...new Set(type.offerings.filter(({ available }) => available).map(({ zone }) => zone))];
  if (zones.length === 0) return '-';
  if (type.offeredZones !== undefined) return `${type.offeredZones.offering} of ${type.offeredZones.zones}`;
  const region = type.labels['topology.kubernetes.io/region'] ?? '';
  return zones.map((zone) => (zone.startsWith(region) ? zone.slice(region.length).replace(/^-/, '') : zone)).join(',');
}

/** `33% (30-36%)`. */
function spotShareText(type: ListedInstanceType): string {
  const { spot } = type;
  if (spot === null || !isOffered(type, 'spot')) return '-';
  const { percentOfOnDemand, cheapestZonePercent, dearestZonePercent } = spot;
  return `${percentOfOnDemand}%${cheapestZonePercent === null || dearestZonePercent === null ? '' : ` (${cheapestZonePercent}-${dearestZonePercent}%)`}`;
}

function isOffered({ offerings }: ListedInstanceType, capacityType: string): boolean {
  return offerings.some((offering) => offering.capacityType === capacityType && offering.available);
}

/** IDs of capacity reservations. A reservation is offered once in each partition of a placement group. */
function reservations({ offerings }: ListedInstanceType): string {
  return [...new Set(offerings.flatMap(({ reservationId }) => reservationId ?? []))].join(' ');
}

function cheapest({ offerings }: ListedInstanceType, capacityType: string): string {
  const prices = offerings.flatMap((offering) =>
    offering.capacityType === capacityType && offering.usdPerHour !== null ? [offering.usdPerHour] : [],
  );
  return hourlyPriceCell(prices.length === 0 ? null : Math.min(...prices));
}

function legend(types: readonly ListedInstanceType[], columns: readonly Column[]): string {
  const has = (head: string) => columns.some((column) => column.head === head);
  const [{ currency }] = types;
  const uncertain = types.find(
    ({ offeredZones, offerings }) => offeredZones !== undefined && offerings.some(({ available }) => available),
  );
  const recorded = types.find(({ spot }) => spot !== null)?.spot;
  const hasRange = types.some(
    ({ spot }) => spot?.cheapestZonePercent !== null && spot?.dearestZonePercent !== null && spot !== null,
  );
  return [
    `CPU, MEMORY and PODS are allocatable to pods; prices are in ${hourlyPriceUnit(currency)}`,
    ...(has(HEADS.reserved) ? [', and reservations are already paid for'] : []),
    '.',
    ...(uncertain === undefined
      ? []
      : [
          `\n${zonesText(uncertain)} in ZONES: so many zones of the region offer the type; only zone IDs show which ones (--zones).`,
        ]),
    ...(recorded && has(HEADS.spotShare)
      ? [
          `\nSPOT SHARE is the spot price in percent of on-demand, in the 30 days before ${recorded.date}${hasRange ? ' (in the cheapest and the dearest zone on that day)' : ''};` +
            '\nINTERRUPTED is the share of spot instances that EC2 interrupted in these days, and changes from month to month.',
        ]
      : []),
  ].join('');
}
