import { CheckOptions } from '../check-options';
import { ManifestObject, SourceFile } from '../manifest/model';
import { ProblemLog } from '../manifest/problem-log';
import { readObjects } from '../manifest/source/kubernetes-objects';
import {
  AwsModel,
  ClusterPlace,
  clustersOf,
  forCluster,
  isTemplate,
  readTemplates,
  Template,
  templateDigest,
  templateName,
} from '../template';
import { Finding } from '../vocabulary/verdict';

/** The contents of the files before they are judged. */
export interface Input {
  /** Objects of manifest files; those in CloudFormation templates are in `aws`. */
  readonly objects: readonly ManifestObject[];
  readonly aws: AwsModel;
  /** Clusters that CloudFormation templates apply manifests and charts to. */
  readonly clusters: readonly ClusterPlace[];
  readonly problems: readonly Finding[];
  /** The release of Karpenter that another root of the repository installs. @default - unknown */
  readonly karpenterVersion?: string;
  /** Whether no file of the repository names Karpenter. @default false */
  readonly isWithoutKarpenter?: boolean;
}

export function readInput(sources: readonly SourceFile[], options: CheckOptions): Input {
  const log = new ProblemLog();
  const templates: Template[] = [];
  const objects = readObjects(sources, log, (raw, position, { path, text, stack }) => {
    if (!isTemplate(raw)) return false;
    const { region = options.region, account } = stack ?? {};
    const digest = templateDigest(text);
    templates.push({
      file: path,
      name: templateName(path),
      region,
      account,
      raw,
      digest,
      locate: (fieldPath) => position.locate(fieldPath),
    });
    return true;
  });
  const aws = readTemplates(templates, log);
  const karpenterVersion = sources.find((source) => source.karpenterVersion !== undefined)?.karpenterVersion;
  const isWithoutKarpenter = sources.some((source) => source.isWithoutKarpenter === true);
  return { objects, aws, clusters: clustersOf(aws), problems: log.findings, karpenterVersion, isWithoutKarpenter };
}

/** The part of the input that is for one cluster. */
export function inputForCluster(input: Input, cluster: ClusterPlace): Input {
  return { ...input, aws: forCluster(input.aws, cluster, input.clusters), clusters: [cluster] };
}
