import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { SourceFile } from '../../../model';
import { Root } from '../root';
import { objectsIn } from '../root-objects';

const GROUPS = ['argoproj.io', 'kustomize.toolkit.fluxcd.io', 'helm.toolkit.fluxcd.io', 'source.toolkit.fluxcd.io'];
const KINDS = ['Application', 'ApplicationSet', 'Kustomization', 'HelmRelease', 'GitRepository'];

/**
 * The files of rendered charts with objects of Argo CD and Flux, such as those of an app of apps. The default values of
 * a chart count only if it has no other ones.
 */
export function renderedDeployers(roots: readonly Root[]): SourceFile[] {
  const charts = roots.filter(({ release, sources }) => release !== undefined && sources.some(hasDeployer));
  const withValues = new Set(charts.flatMap(({ release }) => (release!.values.length > 0 ? [release!.chart] : [])));
  return charts
    .filter(({ release }) => release!.values.length > 0 || !withValues.has(release!.chart))
    .flatMap(({ sources }) => sources.filter(hasDeployer));
}

function hasDeployer(file: SourceFile): boolean {
  return objectsIn(file).some(
    ({ apiVersion, kind, spec }) =>
      GROUPS.includes(valueText(apiVersion).split('/')[0]) &&
      KINDS.includes(valueText(kind)) &&
      asRecord(spec) !== undefined,
  );
}
