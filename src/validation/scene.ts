import { Catalog } from '../catalog';
import { ScheduleInput } from '../scheduling';
import { inItsRegion } from './cluster/cluster-region';
import { Input, inputFor, ManifestModel, modelOf, readInput, READING_RULES, SourceFile } from './manifest';
import { withNamedZones } from './named-zones';
import { CheckOptions } from './options';
import { Finding } from './report/verdict';
import { scheduleInput } from './schedule-input';
import { withStated } from './stated-options';
import { clusterLabels } from './template';
import { withoutUntold } from './untold';

/** What verdicts, stories and scenarios are about: the same for all of them. */
export interface Scene {
  readonly model: ManifestModel;
  /** Those given, with what the input and the cluster say besides. */
  readonly options: CheckOptions;
  readonly catalog: Catalog;
  readonly input: ScheduleInput;
}

/**
 * What the files hold: of several clusters that templates apply manifests to, the first.
 *
 * @throws Error if an option has a value that it cannot have
 */
export function readScene(sources: readonly SourceFile[], given: CheckOptions): Scene {
  return sceneOf(ofOneCluster(readInput(sources, given)), given);
}

export function sceneOf(files: Input, given: CheckOptions): Scene {
  const stated = withStated(given, files);
  const read = modelOf(files, stated);
  const options = inItsRegion(stated, read);
  const catalog = Catalog.load(withNamedZones(options, read));
  const model = withoutUntold(read, options, catalog);
  return { model, options, catalog, input: scheduleInput(model, options) };
}

/** Pods of one cluster never go to nodes of another: of several, one is judged, and that is said. */
export function ofOneCluster(input: Input): Input {
  const [cluster, ...others] = input.clusters;
  if (others.length === 0) return input;
  const names = clusterLabels(input.clusters);
  const own = inputFor(input, cluster);
  const kept = new Set<unknown>([...own.aws.manifests, ...own.aws.helmReleases]);
  const { resource } = [...input.aws.manifests, ...input.aws.helmReleases].find((each) => !kept.has(each))!;
  const problem: Finding = {
    ...READING_RULES.unreadable,
    severity: 'error',
    subject: { apiVersion: '', kind: '', namespace: '', name: '' },
    location: resource.object.locate([]),
    message: `the templates apply manifests to ${names.length} clusters, ${names.join(', ')}: only those of ${names[0]} are judged`,
    remedy: 'pass the templates of one cluster at a time',
    evidence: { clusters: names },
  };
  return { ...own, problems: [...input.problems, problem] };
}
