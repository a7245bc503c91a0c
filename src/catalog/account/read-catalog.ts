import { CATALOG_SCHEMA_VERSION } from './account-catalog';
import { catalogDefect } from './catalog-defects';
import { CatalogProblem } from './problem';
import { RegionCatalog } from './region-catalog';
import { readNamedFile } from '../../model';
import { publicCatalogDefect } from '../public';
import { isRegion } from '../regions';

/** The largest region has 300 KB. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file that `catalog update` has written.
 *
 * @throws CatalogProblem if it is cut off, of another schema version, or has impossible figures
 */
export function readRegionCatalog(file: string): RegionCatalog {
  return parseRegionCatalog(textOf(file), file);
}

/**
 * @param file in messages
 * @throws CatalogProblem
 */
export function parseRegionCatalog(text: string, file: string): RegionCatalog {
  const value = parsed(text, file);
  const { schemaVersion, region, source } = value;
  const isPublic = source === 'public';
  const remedy = remake(typeof region === 'string' && isRegion(region) ? region : undefined, isPublic);
  if (schemaVersion === undefined) throw problem(file, 'is not a catalogue, because it has no schemaVersion', remedy);
  if (schemaVersion !== CATALOG_SCHEMA_VERSION) {
    throw problem(
      file,
      `has schema version ${JSON.stringify(schemaVersion)}, and this release reads version ${JSON.stringify(CATALOG_SCHEMA_VERSION)}`,
      remedy,
    );
  }
  const defect = isPublic ? publicCatalogDefect(value) : catalogDefect(value);
  if (defect !== undefined) throw problem(file, defect, remedy);
  return value as unknown as RegionCatalog;
}

function textOf(file: string): string {
  try {
    return readNamedFile(file, MAX_BYTES).toString('utf8');
  } catch (error) {
    throw new CatalogProblem(
      `${file}: cannot be read, ${(error as Error).message}; name a file that karpenter-constructs catalog update has written`,
    );
  }
}

function parsed(text: string, file: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A catalogue is one object, so the text ends with its brace unless it is cut off.
    const isCutOff = text.trimStart().startsWith('{') && !text.trimEnd().endsWith('}}');
    throw problem(
      file,
      text.trim() === '' ? 'is empty' : isCutOff ? 'is cut off' : 'is not JSON',
      remake(/"region":"([a-z0-9-]+)"/.exec(text.slice(0, 1000))?.[1]),
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw problem(file, 'is not a catalogue, because it is not a JSON object', remake());
  return value as Readonly<Record<string, unknown>>;
}

function problem(file: string, what: string, remedy: string): CatalogProblem {
  return new CatalogProblem(`${file}: ${what}; ${remedy}`);
}

function remake(region?: string, isPublic = false): string {
  return `make the file again with karpenter-constructs catalog update ${isPublic ? '--public ' : ''}--region ${region ?? '<region>'}`;
}
