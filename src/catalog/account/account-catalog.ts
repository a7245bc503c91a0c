import { CatalogFile } from '../catalog-file';
import { RegionFile } from '../region-file';

/** Changes with the columns of the file. A file of another version is made again, not converted. */
export const CATALOG_SCHEMA_VERSION = '2';

/** USD, or the currency of the region, per hour by type; null if the type is not sold as spot in the zone. */
export type ZonePrices = ReadonlyArray<number | null>;

/** Prices and zones of a region, as an account sees them. */
export interface AccountFigures extends RegionFile {
  readonly zoneIds: readonly string[];
  readonly zoneNames: readonly string[];
  readonly offered: readonly number[];
  /** Current spot prices by zone id. Karpenter has no spot offering for a type and zone without a price. */
  readonly spotPrices: Readonly<Record<string, ZonePrices>>;
}

/** The file that `catalog update` writes: one region, as one account sees it. */
export interface AccountCatalog {
  readonly schemaVersion: typeof CATALOG_SCHEMA_VERSION;
  /** `YYYY-MM-DD` */
  readonly made: string;
  readonly region: string;
  /** Zone ids by zone name. The mapping differs between accounts. */
  readonly zones: Readonly<Record<string, string>>;
  readonly types: CatalogFile;
  readonly figures: AccountFigures;
}

/** For every report: whose figures these are, and how old. */
export function originText({ region, made }: Pick<AccountCatalog, 'region' | 'made'>): string {
  return `instance types, zones and prices are from the catalogue of your account for ${region}, made ${made}`;
}

/** Whether a sentence of a report is an `originText`. */
export function isOriginText(sentence: string): boolean {
  return sentence.startsWith('instance types, zones and prices are from the catalogue of your account for ');
}

/** The text of the file: one column a line, so that a change has a small diff. */
export function accountCatalogText({ types: { names, facts, labels }, figures, ...head }: AccountCatalog): string {
  const lines = (record: object) =>
    Object.entries(record)
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      .join(',\n');
  return [
    `{${lines(head)},`,
    `"types":{"names":${JSON.stringify(names)},`,
    `"facts":{\n${lines(facts)}},`,
    `"labels":[\n${labels.map((label) => JSON.stringify(label)).join(',\n')}]},`,
    `"figures":{\n${lines(figures)}}}`,
    '',
  ].join('\n');
}
