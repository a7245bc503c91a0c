import { withSubnetZones } from './class-zones';
import { decidedRegion } from './decided-region';
import { addNamedZones } from './named-zones';
import { scheduleInput } from './schedule-input';
import { Catalog, CatalogOptions, isRegion, nearestRegion } from '../../catalog';
import { gateDefaultsOfVersion, isBeforeV1, isKnownKarpenterVersion } from '../../contract';
import { countText, listText } from '../../model';
import { ScheduleInput } from '../../scheduling';
import { CheckOptions } from '../check-options';
import { withClusterRegion } from '../cluster/cluster-region';
import { eksctlClusters } from '../cluster/node-groups';
import { chartControllers, gitOpsControllers, controllersDeployedBy, optionsOfController } from '../controller';
import { Input, inputForCluster, modelOf } from '../input';
import { ManifestModel, ManifestObject, READING_RULES } from '../manifest';
import { AwsModel, clusterLabels } from '../template';
import { dropUnresolved } from './unresolved';
import { Finding } from '../vocabulary/verdict';

/** The input of verdicts, explanations and scenarios. */
export interface CheckContext {
  readonly model: ManifestModel;
  /** The given options, completed from the input and the cluster. */
  readonly options: CheckOptions;
  readonly catalog: Catalog;
  readonly input: ScheduleInput;
}

/** Conformance tests have instance types with prices of their own. */
export type LoadCatalog = (options: CatalogOptions) => Catalog;

/**
 * Resolves everything that the options and the input of one cluster say.
 *
 * @throws Error if an option has an invalid value
 */
export function checkContextFor(
  files: Input,
  given: CheckOptions,
  loadCatalog: LoadCatalog = (options) => Catalog.load(options),
): CheckContext {
  if (given.region !== undefined && !isRegion(given.region)) {
    throw new Error(
      `region: not an AWS region, got ${JSON.stringify(given.region)}; write ${nearestRegion(given.region) ?? 'for example eu-west-1'}`,
    );
  }
  const stated = effectiveOptions(given, files);
  const written = modelOf(files, stated);
  const withCluster = withCatalogRegion(withClusterRegion(stated, written));
  const read = withSubnetZones(written, { ...withCluster, zones: given.zones });
  const decided = decidedRegion(withCluster, read);
  const options =
    decided.by === 'cluster config' || decided.by === 'references'
      ? { ...withCluster, region: decided.region }
      : withCluster;
  const catalog = loadCatalog(addNamedZones(options, read));
  const model = dropUnresolved(read, options, catalog);
  return { model, options, catalog, input: scheduleInput(model, options) };
}

/** Pods of one cluster never run on nodes of another. So only the first cluster is evaluated, and a finding says so. */
export function keepFirstCluster(input: Input): Input {
  const [cluster, ...moreClusters] = input.clusters;
  if (moreClusters.length === 0) return input;
  const names = clusterLabels(input.clusters);
  const own = inputForCluster(input, cluster);
  const kept = new Set<unknown>([...own.aws.manifests, ...own.aws.helmReleases]);
  const left = [...input.aws.manifests, ...input.aws.helmReleases].find((candidate) => !kept.has(candidate));
  // Names that are known only at deployment may all be that of one cluster.
  if (left === undefined) return own;
  const problem: Finding = {
    ...READING_RULES.unreadable,
    severity: 'error',
    subject: { apiVersion: '', kind: '', namespace: '', name: '' },
    location: left.resource.object.locate([]),
    message: `the templates apply manifests to ${countText(names.length, 'cluster')}, ${listText(names)}: only those of ${names[0]} are evaluated`,
    remedy: 'pass the templates of one cluster at a time',
    evidence: { clusters: names },
  };
  return { ...own, problems: [...input.problems, problem] };
}

/** The given options, completed with Karpenter's settings and the region from the input. A given option wins. */
export function effectiveOptions(given: CheckOptions, { aws, objects, karpenterVersion }: Input): CheckOptions {
  const all = [...objects, ...aws.manifests.flatMap((manifest) => manifest.objects)];
  const [controller, ...moreControllers] = [
    ...chartControllers(aws),
    ...gitOpsControllers(all),
    ...controllersDeployedBy(all),
  ];
  // With two controllers, it is unknown which settings apply.
  const fromController =
    controller && moreControllers.length === 0 ? optionsOfController(controller, given.karpenterVersion) : {};
  const fromRepository = controller?.version === undefined ? versionOptions(karpenterVersion, given) : {};
  const fromInput = { ...fromRepository, ...eksctlOptions(all, given) };
  return {
    ...fromInput,
    ...fromController,
    ...(regionOf(aws) === undefined ? {} : { region: regionOf(aws) }),
    ...defined(given),
    featureGates: {
      ...gateDefaultsOfVersion(given.karpenterVersion ?? fromController.karpenterVersion ?? fromInput.karpenterVersion),
      ...fromController.featureGates,
      ...defined(given.featureGates ?? {}),
    },
  };
}

/** Not a placeholder. */
const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;

/** What the only configuration file of eksctl says. */
function eksctlOptions(
  objects: readonly ManifestObject[],
  given: CheckOptions,
): Pick<CheckOptions, 'region' | 'karpenterVersion' | 'servingVersion'> {
  const [cluster, ...others] = eksctlClusters(objects);
  if (!cluster || others.length > 0) return {};
  const { region = '', karpenterVersion } = cluster;
  return {
    // Given zones and nodes are in the cluster's real region.
    ...(REGION.test(region) && !given.zones && !given.cluster ? { region } : {}),
    ...versionOptions(karpenterVersion?.replace(/^v/, ''), given),
  };
}

function versionOptions(
  version: string | undefined,
  given: CheckOptions,
): Pick<CheckOptions, 'karpenterVersion' | 'servingVersion'> {
  if (version === undefined) return {};
  if (isKnownKarpenterVersion(version)) return { karpenterVersion: version };
  return given.karpenterVersion === undefined && isBeforeV1(version) ? { servingVersion: version } : {};
}

/** A single catalogue says where the cluster is, if neither options nor the cluster do. */
function withCatalogRegion(options: CheckOptions): CheckOptions {
  const [only, ...others] = options.catalogs ?? [];
  return options.region === undefined && only !== undefined && others.length === 0
    ? { ...options, region: only.region }
    : options;
}

/** The region of the stacks that apply something to the cluster, unless they are in several regions. */
function regionOf({ manifests, helmReleases, clusters }: AwsModel): string | undefined {
  const regions = new Set([...manifests, ...helmReleases, ...clusters].map(({ resource }) => resource.region));
  return regions.size === 1 ? [...regions][0] : undefined;
}

function defined<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}
