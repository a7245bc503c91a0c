import { asRecord } from '../../../../contract';
import { nearestName } from '../../../../model';
import { eksctlClusters } from '../../../cluster/node-groups';
import { Controller, chartValue } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { ManifestModel, ManifestObject } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { readable } from '../../../template';
import { chartValueFix } from '../../common/edits/chart-value-fix';
import { RuleFinding } from '../../rule';

/** Words of names by which clusters of several environments differ. */
const ENVIRONMENT = /dev|test|stag|stg|prod|prd|qa|uat|demo|sandbox|blue|green|\d/i;
const SELECTORS = ['subnetSelectorTerms', 'securityGroupSelectorTerms'];

/**
 * Karpenter for another cluster than the only one that a file of eksctl or Terraform creates, if that one is certainly
 * meant.
 */
export function otherClusterName(controller: Controller, model: ManifestModel): RuleFinding | undefined {
  const name = chartValue(controller.values, 'settings', 'clusterName');
  const defined = definedCluster(model);
  if (typeof name !== 'string' || name === '' || findUnresolved(name) !== undefined) return undefined;
  if (defined === undefined || defined.name === name || !isMeant(name, defined.name, model)) return undefined;
  return {
    object: controller.object,
    path: controller.pathOf('settings', 'clusterName'),
    message: `settings.clusterName is ${name}, but the cluster is ${defined.name}: Karpenter does not find ${name} in EKS, and ends at its start`,
    remedy: `write settings.clusterName: ${defined.name}`,
    evidence: { cluster: defined.name, written: name },
    fix: chartValueFix(controller, ['settings', 'clusterName'], defined.name),
    related: { object: defined.object, path: [], label: `creates cluster ${defined.name}` },
  };
}

function definedCluster({
  objects,
  aws,
  writtenAws,
}: ManifestModel): { readonly name: string; readonly object: ManifestObject } | undefined {
  const ofTerraform = aws.hasTemplates ? [] : (writtenAws?.clusters ?? []);
  const [only, ...others] = [
    ...eksctlClusters(objects).map(({ object }) => ({ name: object.name, object })),
    ...ofTerraform.map(({ name, resource }) => ({ name, object: resource.object })),
  ];
  return only && others.length === 0 && findUnresolved(readable(only.name)) === undefined ? only : undefined;
}

/** Whether the name is a typo of the cluster's, or all node classes are for the cluster by their tags. */
function isMeant(name: string, cluster: string, { nodeClasses }: ManifestModel): boolean {
  const tags = nodeClasses.flatMap(({ object: { raw } }) =>
    SELECTORS.flatMap((field) =>
      recordsOf(asRecord(raw.spec)?.[field]).map((term) => asRecord(term.tags)?.['karpenter.sh/discovery']),
    ),
  );
  const isTagged = tags.length > 0 && tags.every((tag) => tag === cluster);
  const [own, other] = [name, cluster].map((text) =>
    text
      .split(/[-_.]/)
      .filter((word) => ENVIRONMENT.test(word))
      .join(),
  );
  return isTagged || (own === other && nearestName(name, [cluster]) !== undefined);
}
