import { ManifestObject, SourceFile } from './model';
import { readObjects } from './objects';
import { ProblemLog } from './problem-log';
import { CheckOptions } from '../options';
import { Finding } from '../report/verdict';
import { AwsModel, ClusterPlace, clustersOf, forCluster, isTemplate, readTemplates, Template, templateDigest, templateName } from '../template';

/** What files hold, before it is judged. */
export interface Input {
  /** Of manifests that stand in files of their own. */
  readonly objects: readonly ManifestObject[];
  readonly aws: AwsModel;
  /** Clusters that templates apply manifests and charts to. */
  readonly clusters: readonly ClusterPlace[];
  readonly problems: readonly Finding[];
}

export function readInput(sources: readonly SourceFile[], options: CheckOptions): Input {
  const log = new ProblemLog();
  const templates: Template[] = [];
  const objects = readObjects(sources, log, (raw, place, { path, text, stack }) => {
    if (!isTemplate(raw)) return false;
    const { region = options.region, account } = stack ?? {};
    const digest = templateDigest(text);
    templates.push({ file: path, name: templateName(path), region, account, raw, digest, locate: (at) => place.locate(at) });
    return true;
  });
  const aws = readTemplates(templates, log);
  return { objects, aws, clusters: clustersOf(aws), problems: log.findings };
}

/** The part of the input that is for one cluster. */
export function inputFor(input: Input, cluster: ClusterPlace): Input {
  return { ...input, aws: forCluster(input.aws, cluster), clusters: [cluster] };
}
