import { eksctlClusters } from '../cluster/node-groups';
import { findUnresolved } from '../manifest/find-unresolved';
import { ManifestObject } from '../manifest/object';
import { recordsOf, stringMapOf } from '../manifest/records';

/** What may set `settings.clusterName`. */
const INSTALLERS = ['HelmRelease', 'Application', 'Deployment'];
const SETTING = /\bclusterName(?:\\?["'])?\s*:\s*(?:\\?["'])?([\w-]{1,100})|"CLUSTER_NAME","value":"([\w-]{1,100})"/g;
const DISCOVERY = 'karpenter.sh/discovery';

/**
 * The name of the cluster that the objects are for, with which a template of Karpenter is deployed. Undefined if they
 * name none or several. A tag alone may be anything.
 */
export function clusterNameOf(objects: readonly ManifestObject[]): string | undefined {
  const installed = objects
    .filter(({ kind, raw }) => INSTALLERS.includes(kind) && JSON.stringify(raw).includes('karpenter'))
    .flatMap(({ raw }) =>
      [...JSON.stringify(raw).matchAll(SETTING)].map(([, setting, variable]) => setting ?? variable),
    );
  const named = [...eksctlClusters(objects).map(({ object }) => object.name), ...installed];
  const tagged = objects
    .filter(({ kind }) => kind === 'EC2NodeClass')
    .flatMap(({ raw }) => {
      const { subnetSelectorTerms, securityGroupSelectorTerms } = raw.spec ?? {};
      return [...recordsOf(subnetSelectorTerms), ...recordsOf(securityGroupSelectorTerms)];
    })
    .flatMap(({ tags }) => stringMapOf(tags)[DISCOVERY] ?? []);
  const isTerraform = objects.some(({ kind }) => kind === 'helm_release');
  const [name, ...others] = new Set([...named, ...tagged.filter((tag) => tag !== '*')]);
  return isTerraform || named.length === 0 || others.length > 0 || findUnresolved(name) !== undefined
    ? undefined
    : name;
}
