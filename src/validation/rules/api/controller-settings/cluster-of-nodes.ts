import { asRecord } from '../../../../contract';
import { chartValue, Controller } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { recordsOf } from '../../../manifest/records';
import { RuleContext } from '../../rule';

const DISCOVERY = 'karpenter.sh/discovery';
const CLUSTER_TAG = /^kubernetes\.io\/cluster\/(.+)$/;
/** Other facts that have to name the cluster as well, because any text may be the value of the discovery tag. */
const WITNESSES = 2;

/** A cluster that other settings name than `settings.clusterName`. */
export interface OtherCluster {
  readonly cluster: string;
  /** Whether a parameter replaces a value in which the cluster is right. */
  readonly isOverridden: boolean;
  /** The settings that name it, with their values. */
  readonly namedBy: readonly string[];
}

/**
 * The cluster of the node classes, if the input agrees that it is another one than the setting says: the tags of all
 * selectors, and the names of roles and of the queue.
 */
export function clusterOfNodes({ model }: RuleContext, controller: Controller, name: string): OtherCluster | undefined {
  const classes = model.nodeClasses.map(({ object }) => asRecord(object.raw.spec) ?? {});
  const tags = classes.flatMap(({ subnetSelectorTerms, securityGroupSelectorTerms }) =>
    [...recordsOf(subnetSelectorTerms), ...recordsOf(securityGroupSelectorTerms)].flatMap((term) =>
      Object.entries(asRecord(term.tags) ?? {}),
    ),
  );
  const [cluster, ...others] = new Set(tags.flatMap(clusterOfTag));
  if (cluster === undefined || others.length > 0 || findUnresolved([name, cluster, tags]) !== undefined)
    return undefined;
  if (cluster.includes(name) || name.includes(cluster)) return undefined;
  const annotations = asRecord(chartValue(controller.values, 'serviceAccount', 'annotations'));
  const named: ReadonlyArray<readonly [string, unknown]> = [
    ...classes.map(({ role }) => ['role', role] as const),
    ['eks.amazonaws.com/role-arn', annotations?.['eks.amazonaws.com/role-arn']],
    ['settings.interruptionQueue', chartValue(controller.values, 'settings', 'interruptionQueue')],
  ];
  const texts = new Map(
    named.flatMap(([setting, value]) => (typeof value === 'string' ? [[value, setting] as const] : [])),
  );
  if ([...texts.keys()].some((text) => text.includes(name))) return undefined;
  const namedBy = [...texts].filter(([text]) => text.includes(cluster)).map(([text, setting]) => `${setting}: ${text}`);
  const isOverridden = overriddenName(controller) === cluster;
  const isTag = tags.some(([key]) => CLUSTER_TAG.test(key));
  return isOverridden || isTag || namedBy.length >= WITNESSES ? { cluster, isOverridden, namedBy } : undefined;
}

function clusterOfTag([key, value]: readonly [string, unknown]): string[] {
  const ofKey = CLUSTER_TAG.exec(key)?.[1];
  if (ofKey !== undefined) return [ofKey];
  return key === DISCOVERY && typeof value === 'string' && value !== '*' ? [value] : [];
}

/** The name in the values of a release of Argo CD, before its parameters. */
function overriddenName({ gitOpsRelease }: Controller): unknown {
  const path = [...(gitOpsRelease?.valuesPath ?? []), 'settings', 'clusterName'];
  return (
    gitOpsRelease &&
    path.reduce<any>((value, step) => asRecord(value)?.[step] ?? value?.[step], gitOpsRelease.object.raw)
  );
}
