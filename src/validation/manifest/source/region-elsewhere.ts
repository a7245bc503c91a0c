import { regionReference } from './region-references';
import { Root } from './roots/root';
import { editedObjectsIn, isOfKind } from './roots/root-objects';
import { isRegion } from '../../../catalog';
import { ReferredRegion, SourceFile } from '../model';

type ReadRoot = Root & { readonly skipped?: string };

/**
 * Tells each root the region of its cluster, if other files name it: the values of Karpenter's chart, or roots that are
 * planned with the same NodePools. Several regions tell nothing.
 *
 * @param files all files of the repository
 */
export function withRegionElsewhere<R extends ReadRoot>(roots: readonly R[], files: readonly SourceFile[]): R[] {
  const ofKarpenter = onlyOne(files.flatMap(regionOfKarpenter));
  const byPools = new Map<string, ReferredRegion[]>();
  for (const root of roots) {
    const own = regionReference(root.sources.flatMap(editedObjectsIn))?.only;
    const pools = poolsOf(root);
    if (own !== undefined && pools !== '') byPools.set(pools, [...(byPools.get(pools) ?? []), own]);
  }
  return roots.map((root) => {
    const [first, ...rest] = root.sources;
    const regionElsewhere = ofKarpenter ?? onlyOne(byPools.get(poolsOf(root)) ?? []);
    if (first === undefined || root.skipped !== undefined || regionElsewhere === undefined) return root;
    return { ...root, sources: [{ ...first, regionElsewhere }, ...rest] };
  });
}

/** The places of the root's NodePools. Empty if it has none. */
function poolsOf({ sources }: ReadRoot): string {
  const hasPool = (file: SourceFile) =>
    editedObjectsIn(file).some((object) => isOfKind(object, ['NodePool', 'Provisioner']));
  return [...new Set(sources.filter(hasPool).map(({ path }) => path))].sort().join('\n');
}

function onlyOne(regions: readonly ReferredRegion[]): ReferredRegion | undefined {
  return new Set(regions.map(({ region }) => region)).size === 1 ? regions[0] : undefined;
}

/** What installs Karpenter's chart, or is called like it. */
const INSTALLS = /^[ \t-]*(?:chart|name|releaseName):[ \t]*["']?karpenter["']?[ \t]*\r?$|public\.ecr\.aws\/karpenter/m;
const VALUES_FILE =
  /(?:^|\/)[^/]*karpenter[^/]*\/(?:[^/]*\/)?[^/]*values[^/]*\.ya?ml$|karpenter[^/]*values[^/]*\.ya?ml$/i;
const ENVIRONMENT =
  /^[ \t]*-[ \t]*name:[ \t]*["']?AWS_(?:DEFAULT_)?REGION["']?[ \t]*\r?\n[ \t]*value:[ \t]*["']?([a-z0-9-]+)/gm;

function regionOfKarpenter({ path, text, trace }: SourceFile): ReferredRegion[] {
  if (trace !== undefined || !text.includes('_REGION') || !(INSTALLS.test(text) || VALUES_FILE.test(path))) return [];
  return [...text.matchAll(ENVIRONMENT)]
    .map(([, region]) => region)
    .filter(isRegion)
    .map((region) => ({ region, source: "AWS_REGION of Karpenter's chart", isOne: true }));
}
