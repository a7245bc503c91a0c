import { CHART_NAME, effectiveValues, isChart, podLabelsOfChart } from './chart';
import { deployedControllers } from './deployment';
import { gitOpsControllers } from './gitops';
import { Controller } from './model';
import {
  asRecord,
  isBeforeV1,
  isKnownKarpenterVersion,
  newestReleaseIn,
  NEWEST_KARPENTER_VERSION,
  parseKarpenterVersion,
} from '../../contract';
import { CheckOptions } from '../check-options';
import { FieldPath, ManifestModel, ManifestObject } from '../manifest/model';
import { PlainRecord } from '../manifest/records';
import { SourceText } from '../manifest/source/source-text';
import { readDocuments } from '../manifest/yaml/documents';
import { byCodePoint } from '../order';
import { AwsModel, HelmRelease } from '../template';

const VALUES_PATH: FieldPath = ['Properties', 'Values'];
const VERSION_PATH: FieldPath = ['Properties', 'Version'];

/** Finds Karpenter in templates and manifests; without any, uses the Helm values of the options. */
export function findControllers(model: ManifestModel, options: CheckOptions): Controller[] {
  const controllers = [
    ...chartControllers(model.aws),
    ...gitOpsControllers(model.objects),
    ...deployedControllers(model),
  ];
  if (controllers.length > 0 || !options.controllerValues) return controllers;
  const { values } = options.controllerValues;
  const object = settingsObject(options.controllerValues);
  return [
    {
      object,
      values: effectiveValues(values),
      podLabels: {},
      fromChart: false,
      complete: false,
      pathOf: (...steps) => steps,
    },
  ];
}

/**
 * The release of a controller, for comparisons. If its version is known only at deployment, the release of the options
 * or the newest one.
 */
export function releaseOf(controller: Controller | undefined, { karpenterVersion }: CheckOptions): string {
  const version = controller?.version;
  if (version !== undefined && parseKarpenterVersion(version)) return version;
  return karpenterVersion ?? NEWEST_KARPENTER_VERSION;
}

/** The controllers that templates install with Karpenter's chart. */
export function chartControllers({ helmReleases }: AwsModel): Controller[] {
  return helmReleases.flatMap(chartController);
}

function chartController(release: HelmRelease): Controller[] {
  if (!isChart(release, CHART_NAME)) return [];
  return [
    {
      object: release.resource.object,
      helmRelease: release,
      releaseName: release.release,
      fromChart: true,
      namespace: release.namespace,
      podLabels: podLabelsOfChart(release.values ?? {}, release.release),
      ...versionOf(release),
      values: effectiveValues(release.values ?? {}),
      complete: release.values !== undefined,
      pathOf: (first) => (first === 'version' ? VERSION_PATH : VALUES_PATH),
    },
  ];
}

/** The version of a template, which may be a range, or known only at deployment. */
function versionOf({ version }: HelmRelease): Pick<Controller, 'version' | 'versionRange'> {
  if (version === undefined) return {};
  const written = version.replace(/^v/, '');
  const newest = parseKarpenterVersion(written) ? undefined : newestReleaseIn(written);
  return newest === undefined ? { version: written } : { version: newest, versionRange: version };
}

/** The kind of the object for a file of Helm values. */
export const HELM_VALUES = 'Helm values';

function settingsObject({ file, values, text }: NonNullable<CheckOptions['controllerValues']>): ManifestObject {
  const source = new SourceText({ path: file, text: text ?? '' });
  return {
    apiVersion: '',
    kind: HELM_VALUES,
    name: file,
    raw: values,
    locate: (path) => {
      const offset = readDocuments(source).documents[0]?.offsetOf(path) ?? 0;
      return { file, ...source.position(offset), path: path.join('.') };
    },
  };
}

/**
 * The controllers that the input installs. Helm values of the options are left out, because they may be an excerpt: a
 * value that is missing there may still be set.
 */
export function installedControllers(controllers: readonly Controller[]): Controller[] {
  return controllers.filter(({ complete, fromChart }) => complete || fromChart);
}

/** A value of the chart, by the keys that lead to it. */
export function chartValue(values: PlainRecord, ...steps: readonly string[]): unknown {
  return steps.reduce<unknown>((value, step) => asRecord(value)?.[step], values);
}

/** Assumptions of the verdict about Karpenter's version and settings, if those of the input cannot be used. */
export function controllerAssumptions(
  controllers: readonly Controller[],
  { karpenterVersion }: CheckOptions,
): string[] {
  const all = installedControllers(controllers);
  if (all.length > 1) {
    return [
      `the input installs Karpenter ${all.length} times (${all.map(nameOf).sort(byCodePoint).join(', ')}): their versions and settings are ignored`,
    ];
  }
  return all.flatMap((controller) => {
    const { version, versionRange } = controller;
    if (karpenterVersion === undefined && versionRange !== undefined)
      return [
        `${nameOf(controller)} installs Karpenter ${versionRange}: ${version}, the newest release of this range that is known, is used`,
      ];
    const isUnknown =
      karpenterVersion === undefined &&
      version !== undefined &&
      !isKnownKarpenterVersion(version) &&
      !isBeforeV1(version);
    return isUnknown
      ? [
          `${nameOf(controller)} installs Karpenter ${version}, which this version of karpenter-constructs does not know`,
        ]
      : [];
  });
}

function nameOf({ object: { kind, namespace, name } }: Controller): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
