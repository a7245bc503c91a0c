import { spawnSync } from 'child_process';
import type { Root, SourceFile } from '../../validation';
import { lazy } from '../lazy';

const HELM_TIMEOUT_MS = 30_000;
const LARGEST_OUTPUT = 64 * 1024 * 1024;

/** A root whose manifests can be judged, or the reason why there are none. */
export interface RenderedRoot extends Root {
  /** @default - the sources can be judged */
  readonly skipped?: string;
}

/**
 * Divides the files into roots, and renders charts.
 *
 * @param usesHelm whether charts are rendered by the helm of this machine
 */
export function renderedRoots(files: readonly SourceFile[], usesHelm: boolean): RenderedRoot[] {
  return lazy.validation.rootsOf(files).map((root) => root.kind === 'chart' ? renderChart(root, usesHelm) : root);
}

function renderChart(root: Root, usesHelm: boolean): RenderedRoot {
  if (!usesHelm) return { ...root, skipped: 'not rendered, because of --no-helm' };
  const { status, stdout, stderr, error } = spawnSync('helm', ['template', 'release', root.name], {
    encoding: 'utf8', timeout: HELM_TIMEOUT_MS, maxBuffer: LARGEST_OUTPUT, stdio: ['ignore', 'pipe', 'pipe'],
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    return { ...root, skipped: 'not rendered, because helm is not installed; pass the output of helm template' };
  }
  if (error ?? status !== 0) return { ...root, skipped: `not rendered: ${(stderr || error?.message || '').trim().split('\n')[0]}` };
  return { ...root, sources: [{ path: `${root.name} (helm template)`, text: stdout, isFound: true }], notes: [...root.notes, 'rendered by helm with its default values'] };
}
