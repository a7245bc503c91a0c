import { compareKarpenterVersions, parseKarpenterVersion } from '../../contract';
import { ManifestObject } from '../manifest/model';
import { installedKarpenter } from './private/installed-karpenter';
import { fail, notEvaluated, pass } from './private/outcome';
import { Outcome, Rule, RuleContext } from './rule';

/** A release that stores objects in the form which the releases from another one on can read. */
interface Waypoint {
  /** What runs is older than this. */
  readonly before: string;
  /** What is to run is this or newer. */
  readonly to: string;
  readonly stop: string;
  readonly why: string;
}

/** @see https://karpenter.sh/docs/upgrading/upgrade-guide/ */
const WAYPOINTS: readonly Waypoint[] = [
  { before: '0.32.0', to: '0.33.0', stop: '0.32', why: 'Provisioners, AWSNodeTemplates and Machines are unknown from 0.33 on, and only 0.32 knows them beside their successors' },
  { before: '1.0.0', to: '1.1.0', stop: '1.0', why: 'objects are stored as v1beta1, which no release from 1.1 on reads, and only 1.0 turns them into v1' },
];
const LAST_OLD_VERSION = 'v1beta1';
const FIRST_WITHOUT_IT = '1.1.0';

export class UpgradeSkipsWaypoint implements Rule {
  public readonly id = 'KARP-910';
  public readonly name = 'upgrade-skips-waypoint';
  public readonly severity = 'error';
  public readonly summary = 'Karpenter moves past a release that has to convert its objects, or objects of the cluster are still stored as v1beta1: it cannot read them any more.';

  public check({ model: { cluster }, controllers, options }: RuleContext): Outcome[] {
    const target = controllers.find(({ version }) => version !== undefined)?.version ?? options.karpenterVersion;
    if (!cluster || target === undefined) return [];
    const { controllers: running, definitions } = installedKarpenter(cluster);
    if (!parseKarpenterVersion(target)) return running.map(({ object }) => notEvaluated(object, `the version that it moves to is known only at deployment: ${target}`));
    return [
      ...running.map(({ object, version }) => this.checkRelease(object, version, target)),
      ...definitions.map(({ object, storedVersions }) => this.checkStored(object, storedVersions, target)),
    ];
  }

  private checkRelease(object: ManifestObject, version: string, target: string): Outcome {
    const skipped = WAYPOINTS.find(({ before, to }) => compareKarpenterVersions(version, before) < 0 && compareKarpenterVersions(target, to) >= 0);
    if (!skipped) return pass(object);
    return fail({
      object,
      path: ['spec', 'template', 'spec', 'containers'],
      message: `the cluster runs Karpenter ${version}, which is to become ${target} and skips ${skipped.stop}: ${skipped.why}`,
      remedy: `move to the newest patch release of ${skipped.stop} first, wait until all objects are converted, and then go on`,
      evidence: { from: version, to: target, waypoint: skipped.stop },
    });
  }

  private checkStored(object: ManifestObject, storedVersions: readonly string[], target: string): Outcome {
    if (!storedVersions.includes(LAST_OLD_VERSION) || compareKarpenterVersions(target, FIRST_WITHOUT_IT) < 0) return pass(object);
    return fail({
      object,
      path: ['status', 'storedVersions'],
      message: `some of its objects may still be stored as ${LAST_OLD_VERSION} (storedVersions: ${storedVersions.join(', ')}), which Karpenter ${target} does not read any more`,
      remedy: 'write each of its objects once more while Karpenter 1.0 runs (kubectl get … -o yaml | kubectl replace -f -), then take v1beta1 out of status.storedVersions',
      evidence: { storedVersions, to: target },
    });
  }
}
