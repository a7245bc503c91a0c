/**
 * Warns of old prices before a release: `npx tsx data/price-age.ts`. GitHub shows the warning at the run. It does not
 * fail, because a release with old prices is better than none.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RegionFile } from '../src/catalog/region-file';

const MOST_DAYS = 60;
const DAY_MS = 24 * 60 * 60 * 1000;

/** @param now the day of the release, `YYYY-MM-DD` */
export function oldPricesWarning(
  files: ReadonlyArray<Pick<RegionFile, 'region' | 'pricesOf'>>,
  now: string,
): string | undefined {
  const aged = files
    .map(({ region, pricesOf }) => ({ region, pricesOf, days: (Date.parse(now) - Date.parse(pricesOf)) / DAY_MS }))
    .filter(({ days }) => days > MOST_DAYS)
    .sort((left, right) => right.days - left.days);
  if (aged.length === 0) return undefined;
  const [{ region, pricesOf, days }] = aged;
  return (
    `the prices of ${aged.length} of ${files.length} regions are more than ${MOST_DAYS} days old; the oldest are those of ${region}, ` +
    `of ${pricesOf}, ${days} days old; run the workflow data, and merge its pull request`
  );
}

if (require.main === module) {
  const folder = join(__dirname, 'regions');
  const files = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RegionFile);
  const warning = oldPricesWarning(files, new Date().toISOString().slice(0, 10));
  console.log(
    warning === undefined ? `no price is more than ${MOST_DAYS} days old` : `::warning title=Old prices::${warning}`,
  );
}
