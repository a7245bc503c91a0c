import { Root } from './root';
import { definedIn } from './root-objects';
import { countWorkloads } from './roots';
import { SourceFile } from '../../model';
import { readDocuments } from '../../yaml/documents';
import { countPools } from '../embedded-manifests';
import { findUnreadable, SourceText } from '../source-text';

/**
 * Adds the files whose NodePools cannot be read to the roots that have workloads and no NodePool, so that these say
 * where the NodePools are.
 */
export function withUnreadPools<R extends Root & { readonly skipped?: string }>(
  roots: readonly R[],
  files: readonly SourceFile[],
): R[] {
  const rendered = roots.flatMap(({ release, skipped }) => (release && skipped === undefined ? release.chart : []));
  const unread = files.filter(hasUnreadPools).map((file) => {
    const chart = rendered.find((folder) => file.path.startsWith(`${folder}/`));
    if (chart !== undefined) return { ...file, unreadable: withoutPools(chart) };
    const refused = roots.find(
      ({ release, skipped }) => skipped && release && file.path.startsWith(`${release.chart}/`),
    );
    return refused === undefined
      ? file
      : { ...file, unreadable: notRendered(refused.release!.chart, refused.skipped!) };
  });
  if (unread.length === 0) return [...roots];
  return roots.map((root) => {
    if (root.skipped !== undefined || definedIn(root, ['NodePool', 'Provisioner']).length > 0) return root;
    if (countWorkloads(root) === 0) return root;
    const missing = unread.filter((file) => !root.sources.includes(file));
    return missing.length === 0 ? root : { ...root, sources: [...root.sources, ...missing] };
  });
}

/** Why a template of a chart has no NodePool, although helm has rendered it. */
function withoutPools(chart: string): NonNullable<SourceFile['unreadable']> {
  return {
    message: `the chart ${chart} makes no NodePool with the values that it was rendered with`,
    remedy: 'pass the values of a cluster with --values FILE',
    severity: 'info',
  };
}

/** Why a chart with NodePools is not rendered, and the cure, which is often not to render it by hand. */
function notRendered(chart: string, skipped: string): NonNullable<SourceFile['unreadable']> {
  const [reason, remedy] = skipped.split(/; (?=[^;]*$)/);
  return {
    message: `the chart ${chart} has NodePools, but is ${reason}`,
    remedy: remedy ?? 'correct the chart, or pass its NodePools as manifests',
    severity: 'warning',
  };
}

function hasUnreadPools(file: SourceFile): boolean {
  if (countPools(file.text) === 0) return false;
  if (findUnreadable(file)) return true;
  return readDocuments(new SourceText(file)).problems.some(({ isTemplate }) => isTemplate);
}
