import { DeviceNodes, deviceNodes, mentionsPlugin } from './device-nodes';
import { countText, hourlyPriceText } from '../../../../model';
import { NodePoolManifest } from '../../../manifest/model';
import { defineRule } from '../../define-rule';
import { subjectsWith } from '../../subjects';
import { ENOUGH_ADDONS, installs } from '../installers';

/**
 * A node is initialised when the kubelet reports the requested resources. Karpenter neither consolidates nor drifts a
 * node that is not initialised.
 *
 * @see https://karpenter.sh/docs/troubleshooting/#nodes-stuck-in-not-initialized-state
 */
export const devicePluginMissing = defineRule({
  id: 'KARP-254',
  name: 'device-plugin-missing',
  severity: 'warning',
  summary: 'Planned nodes have a device that pods request, and nothing in the input registers it with the kubelet.',
  subjects: subjectsWith<DeviceNodes>(({ pool }) => pool.object, deviceNodes),
  judge({ pool, plugin, resource, amiFamily, claims }, { model, catalog, options }) {
    const { cluster } = model;
    // An app is seldom all that a cluster has, and labels for the plugin say that something else installs it.
    if (options.isSynth || hasLabelFor(pool, resource)) return undefined;
    if (model.devicePluginsElsewhere?.includes(plugin.name)) return undefined;
    const everything = [...model.objects, ...(cluster?.objects ?? [])].filter(({ kind }) => kind !== 'NodePool');
    const templates = [...model.aws.helmReleases, ...model.aws.addons].map(
      ({ resource: { properties } }) => properties,
    );
    if ([...everything.map(({ raw }) => raw), ...templates].some((value) => mentionsPlugin(value, plugin)))
      return undefined;
    const price = claims.reduce((sum, { launch }) => sum + launch!.cheapest.usdPerHour, 0);
    const cost = catalog.unknownPrices === undefined ? `, at ${hourlyPriceText(price, catalog.currency)}` : '';
    return {
      path: ['spec', 'template', 'spec', 'nodeClassRef'],
      message: `its ${countText(claims.length, 'planned node')} for pods with ${resource} ${claims.length === 1 ? 'runs' : 'run'} ${amiFamily}, which does not have the ${plugin.name}, and nothing in the input installs it: without it the pods stay Pending, and the ${claims.length === 1 ? 'node is' : 'nodes are'} never initialized, so that Karpenter does not consolidate ${claims.length === 1 ? 'it' : 'them'}${cost}`,
      remedy: `install the ${plugin.name} (${plugin.url})${plugin.builtInto.length > 0 ? `, or use an AMI that has it, such as ${plugin.builtInto[0]}` : ''}; if another repository installs it, acknowledge this finding`,
      evidence: { resource, amiFamily, nodes: claims.length, plugin: plugin.name },
      severity: installs(model) >= ENOUGH_ADDONS ? 'warning' : 'info',
    };
  },
});

/** Whether the pool has a label by which charts of the plugin find their nodes, such as `nvidia.com/gpu.present`. */
function hasLabelFor({ spec }: NodePoolManifest, resource: string): boolean {
  return Object.keys(spec?.labels ?? {}).some((label) => label.startsWith(`${resource}.`));
}
