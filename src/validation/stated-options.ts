import { earlierDefaults } from '../contract';
import { deployedBy, optionsOfController, releasedControllers, syncedControllers } from './controller';
import type { Input } from './manifest';
import { CheckOptions } from './options';
import { AwsModel } from './template';

/** The options with what the input says of Karpenter and of the region, as far as it was not given. */
export function withStated(given: CheckOptions, { aws, objects }: Input): CheckOptions {
  const all = [...objects, ...aws.manifests.flatMap((manifest) => manifest.objects)];
  const [controller, ...others] = [...releasedControllers(aws), ...syncedControllers(all), ...deployedBy(all)];
  // Of two controllers nobody knows which one judges.
  const said = controller && others.length === 0 ? optionsOfController(controller, given.karpenterVersion) : {};
  return {
    ...said,
    region: regionOf(aws),
    ...defined(given),
    featureGates: { ...earlierDefaults(given.karpenterVersion ?? said.karpenterVersion), ...said.featureGates, ...defined(given.featureGates ?? {}) },
  };
}

/** Of the stacks that apply something to the cluster, where it is one region. */
function regionOf({ manifests, helmReleases, clusters }: AwsModel): string | undefined {
  const regions = new Set([...manifests, ...helmReleases, ...clusters].map(({ resource }) => resource.region));
  return regions.size === 1 ? [...regions][0] : undefined;
}

function defined<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}
