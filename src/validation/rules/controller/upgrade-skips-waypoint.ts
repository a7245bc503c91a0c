import {
  asRecord,
  compareKarpenterVersions,
  NODE_POOL_API,
  EC2_NODE_CLASS_API,
  parseKarpenterVersion,
} from '../../../contract';
import { valueText } from '../../../model';
import { InitialCluster, ManifestObject } from '../../manifest/model';
import { recordsOf, scalarText } from '../../manifest/records';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/**
 * A release that has to run in between, because only it converts stored objects to the form that later releases read.
 */
interface Waypoint {
  /** Applies if the running version is older than this. */
  readonly before: string;
  /** Applies if the target version is this or newer. */
  readonly to: string;
  readonly stop: string;
  readonly why: string;
}

/** @see https://karpenter.sh/docs/upgrading/upgrade-guide/ */
const WAYPOINTS: readonly Waypoint[] = [
  {
    before: '0.32.0',
    to: '0.33.0',
    stop: '0.32',
    why: 'only 0.32 knows both Provisioners, AWSNodeTemplates and Machines and their successors',
  },
  {
    before: '1.0.0',
    to: '1.1.0',
    stop: '1.0',
    why: 'only 1.0 converts stored v1beta1 objects to v1, and 1.1 and newer do not read v1beta1',
  },
];
const LAST_OLD_VERSION = 'v1beta1';
const FIRST_WITHOUT_OLD_VERSION = '1.1.0';

export const upgradeSkipsWaypoint: Rule = {
  id: 'KARP-910',
  name: 'upgrade-skips-waypoint',
  severity: 'error',
  summary:
    'An upgrade of Karpenter skips a release that has to convert its objects, or objects are still stored as v1beta1, which it no longer reads.',
  check({ model: { cluster }, controllers, options }: RuleContext): Outcome[] {
    const target = controllers.find(({ version }) => version !== undefined)?.version ?? options.karpenterVersion;
    if (!cluster || target === undefined) return [];
    const { controllers: running, definitions } = installedKarpenter(cluster);
    if (!parseKarpenterVersion(target))
      return running.map(({ object }) =>
        notEvaluated(object, `the version of the upgrade is known only at deployment: ${target}`),
      );
    return [
      ...running.map(({ object, version }) => checkRelease(object, version, target)),
      ...definitions.map(({ object, storedVersions }) => checkStored(object, storedVersions, target)),
    ];
  },
};

function checkRelease(object: ManifestObject, version: string, target: string): Outcome {
  const skipped = WAYPOINTS.find(
    ({ before, to }) => compareKarpenterVersions(version, before) < 0 && compareKarpenterVersions(target, to) >= 0,
  );
  if (!skipped) return pass(object);
  return fail({
    object,
    path: ['spec', 'template', 'spec', 'containers'],
    message: `the upgrade from Karpenter ${version} to ${target} skips ${skipped.stop}: ${skipped.why}`,
    remedy: `upgrade to the newest patch release of ${skipped.stop} first, and wait until all objects are converted`,
    evidence: { from: version, to: target, waypoint: skipped.stop },
  });
}

function checkStored(object: ManifestObject, storedVersions: readonly string[], target: string): Outcome {
  if (!storedVersions.includes(LAST_OLD_VERSION) || compareKarpenterVersions(target, FIRST_WITHOUT_OLD_VERSION) < 0)
    return pass(object);
  return fail({
    object,
    path: ['status', 'storedVersions'],
    message: `some objects may still be stored as ${LAST_OLD_VERSION} (storedVersions: ${storedVersions.join(', ')}), which Karpenter ${target} does not read`,
    remedy:
      'while Karpenter 1.0 runs, rewrite every object (kubectl get … -o yaml | kubectl replace -f -), then remove v1beta1 from status.storedVersions',
    evidence: { storedVersions, to: target },
  });
}

/** Karpenter as the cluster dump shows it. */
interface InstalledKarpenter {
  readonly controllers: ReadonlyArray<{ readonly object: ManifestObject; readonly version: string }>;
  /** The CRDs of Karpenter's kinds, with the versions in which objects may be stored. */
  readonly definitions: ReadonlyArray<{ readonly object: ManifestObject; readonly storedVersions: readonly string[] }>;
}
const GROUPS: readonly unknown[] = [NODE_POOL_API.group, EC2_NODE_CLASS_API.group];
const IMAGE = /(?:^|\/)karpenter\/controller:v?(\d+\.\d+\.\d+)/;

/** Finds Karpenter in the cluster, including objects that the manifests are about to replace. */
function installedKarpenter({ objects, replacedObjects: replaced }: InitialCluster): InstalledKarpenter {
  const all = [...objects, ...replaced];
  return {
    controllers: all.flatMap((object) => {
      const version = object.kind === 'Deployment' && object.apiVersion === 'apps/v1' ? versionOf(object) : undefined;
      return version === undefined ? [] : [{ object, version }];
    }),
    definitions: all.filter(isKarpenterCrd).map((object) => {
      const stored = object.raw.status?.storedVersions;
      return { object, storedVersions: Array.isArray(stored) ? stored.map(valueText) : [] };
    }),
  };
}

function versionOf({ raw }: ManifestObject): string | undefined {
  const pod = asRecord(raw.spec?.template?.spec);
  return recordsOf(pod?.containers).flatMap(({ image }) => IMAGE.exec(scalarText(image))?.[1] ?? [])[0];
}

function isKarpenterCrd({ kind, apiVersion, raw }: ManifestObject): boolean {
  return (
    kind === 'CustomResourceDefinition' &&
    apiVersion.startsWith('apiextensions.k8s.io/') &&
    GROUPS.includes(raw.spec?.group)
  );
}
