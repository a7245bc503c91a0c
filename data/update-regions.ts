/**
 * Replaces the prices in data/regions by those that AWS publishes: `npx tsx data/update-regions.ts SUMMARY.md`. Zones
 * stay as they are. The summary, in Markdown, is for a pull request. A region that cannot be read keeps its file.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { regionText } from './generate-regions';
import { catalogFile } from '../src/catalog/catalog-file';
import { publishedFigures } from '../src/catalog/public';
import { onDemandPrice, RegionFile } from '../src/catalog/region-file';
import { PublicSource, readPublicCatalog } from '../src/cli/aws';
import { Io } from '../src/cli/io';
import { countText, numberText } from '../src/model';

/** Smaller changes are rounding. */
const SAME_PRICE = 0.0005;
const MOST_SHOWN = 3;

export type RegionUpdate =
  | { readonly region: string; readonly before: RegionFile; readonly after: RegionFile }
  | { readonly region: string; readonly problem: string };

/** Updates the files of a folder, one region after the other, because each price list has hundreds of MB. */
export async function updateRegions(
  folder: string,
  source: Omit<PublicSource, 'region'>,
  io: Io,
): Promise<RegionUpdate[]> {
  const updates: RegionUpdate[] = [];
  for (const name of readdirSync(folder).sort()) {
    const before = JSON.parse(readFileSync(join(folder, name), 'utf8')) as RegionFile;
    const { region } = before;
    try {
      const after = publishedFigures(await readPublicCatalog({ ...source, region }, io), before);
      writeFileSync(join(folder, name), regionText(after));
      updates.push({ region, before, after });
    } catch (error) {
      updates.push({ region, problem: (error as Error).message });
    }
  }
  return updates;
}

/** A row for each region. */
export function summaryOf(updates: readonly RegionUpdate[]): string {
  const rows = updates.map((update) =>
    'problem' in update
      ? `| ${update.region} | not updated: ${update.problem.replaceAll('|', '/')} | | | | |`
      : `| ${update.region} | ${update.before.pricesOf} → ${update.after.pricesOf} | ${spotDates(update.before, update.after)} | ${changesOf(update.before, update.after).join(' | ')} |`,
  );
  return `The prices of \`data/regions\`, as AWS publishes them. CONTRIBUTING.md says which documents and tests show prices.

| region | on-demand prices of | spot prices of | dearer | cheaper | without a price now |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function spotDates({ spotOf: before = 'none' }: RegionFile, { spotOf: after = 'none' }: RegionFile): string {
  return `${before} → ${after}`;
}

function changesOf(before: RegionFile, after: RegionFile): string[] {
  const { names, facts } = catalogFile();
  const changes = names.map((name, type) => {
    const [old, now] = [before, after].map((file) => onDemandPrice(file, type, facts.vcpus[type]));
    return { name, ratio: now / old - 1, isGone: !Number.isNaN(old) && Number.isNaN(now) };
  });
  const largest = [...changes].sort((left, right) => Math.abs(right.ratio) - Math.abs(left.ratio));
  const shown = (chosen: ReadonlyArray<{ readonly name: string; readonly ratio: number }>) =>
    chosen.length === 0
      ? ''
      : `${numberText(chosen.length)}: ${chosen
          .slice(0, MOST_SHOWN)
          .map(({ name, ratio }) => `${name} ${ratio > 0 ? '+' : ''}${(ratio * 100).toFixed(1)} %`)
          .join(', ')}`;
  const gone = changes.filter(({ isGone }) => isGone).map(({ name }) => name);
  return [
    shown(largest.filter(({ ratio }) => ratio > SAME_PRICE)),
    shown(largest.filter(({ ratio }) => ratio < -SAME_PRICE)),
    gone.length === 0 ? '' : `${countText(gone.length, 'type')}: ${gone.slice(0, MOST_SHOWN).join(', ')}`,
  ];
}

async function main(summary: string | undefined): Promise<void> {
  if (summary === undefined) throw new Error('arguments: the Markdown file to write, such as dist/prices.md');
  const made = new Date().toISOString().slice(0, 10);
  const io = { writeError: (text: string) => void process.stderr.write(text) } as unknown as Io;
  const updates = await updateRegions(join(__dirname, 'regions'), { made, signal: new AbortController().signal }, io);
  writeFileSync(summary, summaryOf(updates));
  // A failing region is in the summary. If all fail, there is nothing to propose.
  if (updates.every((update) => 'problem' in update)) throw new Error(summaryOf(updates));
}

if (require.main === module)
  main(process.argv[2]).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
