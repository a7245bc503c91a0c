import { optionsOfController, releasedControllers } from './controller';
import { CheckOptions } from './options';
import { AwsModel } from './template';

/** The options with what templates say of Karpenter and of the region, as far as it was not given. */
export function withTemplates(given: CheckOptions, aws: AwsModel): CheckOptions {
  const [controller, ...others] = releasedControllers(aws);
  // Of two controllers nobody knows which one judges.
  const said = controller && others.length === 0 ? optionsOfController(controller) : {};
  return {
    ...said,
    region: regionOf(aws),
    ...defined(given),
    featureGates: { ...said.featureGates, ...defined(given.featureGates ?? {}) },
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
