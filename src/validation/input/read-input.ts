import { clusterNameOf } from './cluster-name';
import { asRecord, clusterProgramsIn } from '../../contract';
import { memoizeByIdentity } from '../../model';
import { CheckOptions } from '../check-options';
import {
  BlockedDeployment,
  ListPatch,
  ManifestObject,
  PatchWithoutTarget,
  SourceFile,
  SpreadProtection,
} from '../manifest/model';
import { ProblemLog } from '../manifest/problem-log';
import { PlainRecord } from '../manifest/records';
import { readObjects } from '../manifest/source/kubernetes-objects';
import { deploymentProblemOf, listPatchOf, spreadProtectionsOf, unmatchedPatchOf } from '../manifest/source/list-patch';
import { withoutPlannedFiles } from '../manifest/source/roots/planned-files';
import { isUnknownRelease } from '../manifest/source/terraform/helm-release-block';
import { isTerraformJson } from '../manifest/source/terraform/planned-manifests';
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
  readWrittenTerraform,
  TerraformFile,
} from '../template';
import { ReferredRegion, RenamedObject, WrittenNodeGroup, WrittenResource } from '../vocabulary/source-file';
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
  /** Whether only Terraform knows the release that the repository installs. @default false */
  readonly isReleaseUnknown?: boolean;
  /** Whether no file of the repository names Karpenter. @default false */
  readonly isWithoutKarpenter?: boolean;
  /** The releases of Karpenter in the repository, if no single one serves all objects. @default - none */
  readonly otherReleases?: readonly string[];
  /** The region that other manifests of the same cluster refer to. @default - unknown, or several */
  readonly regionElsewhere?: ReferredRegion;
  /** The region of the AWS provider in Terraform files of the repository. @default - unknown */
  readonly terraformRegion?: string;
  readonly kubernetesVersion?: string;
  /** The node groups that other files of the repository create. @default - none are known */
  readonly nodeGroupsElsewhere?: readonly WrittenNodeGroup[];
  /** Names of device plugins that some file of the repository mentions. @default - none */
  readonly devicePluginsElsewhere?: readonly string[];
  /** Names of CSI drivers that some file of the repository installs, or gives permissions to. @default - none */
  readonly installedPrograms?: readonly string[];
  /** The AWS resources in Terraform files of the repository. @default - none, or there are templates */
  readonly writtenAws?: AwsModel;
  /** Objects of Karpenter that kustomizations have renamed. @default - none */
  readonly renamedObjects?: readonly RenamedObject[];
  /** Places that protect the pods of many workloads from disruption. @default - none */
  readonly spreadProtections?: readonly SpreadProtection[];
  /** Objects of Flux and Argo CD that deploy nothing. @default - none */
  readonly blockedDeployments?: readonly BlockedDeployment[];
  /** Patches whose targets select nothing. @default - none */
  readonly patchesWithoutTarget?: readonly PatchWithoutTarget[];
  /** Lists that patches of kustomizations have replaced. @default - none */
  readonly listPatches?: readonly ListPatch[];
}

/** What the CDK writes into each template. */
const MADE_BY_CDK = /"aws:cdk:path"|"CDKMetadata"|"BootstrapVersion"/;

export function readInput(given: readonly SourceFile[], options: CheckOptions): Input {
  const sources = withoutPlannedFiles(given);
  const log = new ProblemLog();
  const templates: Template[] = [];
  const terraform: TerraformFile[] = [];
  const objects = readObjects(sources, log, (raw, position, { path, text, stack, edit }) => {
    if (isTerraformJson(raw)) {
      const name = templateName(path);
      terraform.push({
        file: path,
        name,
        raw: parsedJson(text) ?? raw,
        region: options.region,
        edit,
        locate: (fieldPath) => position.locate(fieldPath),
      });
      return true;
    }
    if (!isTemplate(raw)) return false;
    const { region = options.region, account } = stack ?? {};
    const digest = templateDigest(text);
    templates.push({
      file: path,
      name: templateName(path),
      region,
      account,
      // A trial of a remedy changes resources, but not the text.
      ...(edit === undefined ? { raw, digest } : { raw: asRecord(edit(raw)) ?? raw }),
      source: stack === undefined && !MADE_BY_CDK.test(text) ? position.source : undefined,
      locate: (fieldPath) => position.locate(fieldPath),
    });
    return true;
  });
  // Beside Terraform, nobody knows that the template is deployed.
  const isDeployed = templates.length > 0 && resourcesOf(sources).length === 0;
  const clusterName = isDeployed ? clusterNameOf(objects) : undefined;
  const named = templates.map((template) => ({ ...template, ...(clusterName === undefined ? {} : { clusterName }) }));
  const aws = readTemplates(named, log, terraform);
  const karpenterVersion = sources.find((source) => source.karpenterVersion !== undefined)?.karpenterVersion;
  const isWithoutKarpenter = sources.some((source) => source.isWithoutKarpenter === true);
  const terraformRegion = sources.find((source) => source.terraformRegion !== undefined)?.terraformRegion;
  return {
    objects,
    aws,
    clusters: clustersOf(aws),
    problems: log.findings,
    karpenterVersion,
    isWithoutKarpenter,
    isReleaseUnknown:
      sources.some((source) => source.isReleaseUnknown === true) || objects.some(({ raw }) => isUnknownRelease(raw)),
    otherReleases: sources.find((source) => source.otherReleases !== undefined)?.otherReleases,
    regionElsewhere: sources.find((source) => source.regionElsewhere !== undefined)?.regionElsewhere,
    terraformRegion,
    kubernetesVersion: sources.find((source) => source.kubernetesVersion !== undefined)?.kubernetesVersion,
    ...(aws.hasTemplates ? {} : { writtenAws: readWrittenTerraform(resourcesOf(sources)) }),
    renamedObjects: sources.flatMap(({ renamedObjects = [] }) => renamedObjects),
    patchesWithoutTarget: sources.flatMap(({ unmatchedPatches = [] }) => unmatchedPatches.map(unmatchedPatchOf)),
    blockedDeployments: sources.flatMap(({ deploymentProblems = [] }) => deploymentProblems.map(deploymentProblemOf)),
    spreadProtections: spreadProtectionsOf(sources.flatMap(({ protectedObjects = [] }) => protectedObjects)),
    listPatches: sources.flatMap(({ replacedLists = [] }) => replacedLists.map(listPatchOf)),
    nodeGroupsElsewhere: sources.flatMap(({ nodeGroups = [] }) => nodeGroups),
    devicePluginsElsewhere: sources.flatMap(({ devicePlugins = [] }) => devicePlugins),
    installedPrograms: sources.flatMap((file) => [...(file.clusterPrograms ?? []), ...programsInstalledBy(file)]),
  };
}

/** Texts stay as they are while remedies are tried. */
const programsInstalledBy = memoizeByIdentity(({ text }: SourceFile) => clusterProgramsIn(text));

function resourcesOf(sources: readonly SourceFile[]): WrittenResource[] {
  return sources.flatMap(({ terraformResources = [] }) => terraformResources);
}

/** A plan with its nulls, which the reader of manifests leaves out: in Helm values they delete defaults. */
function parsedJson(text: string): PlainRecord | undefined {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The part of the input that is for one cluster. */
export function inputForCluster(input: Input, cluster: ClusterPlace): Input {
  return { ...input, aws: forCluster(input.aws, cluster, input.clusters), clusters: [cluster] };
}
