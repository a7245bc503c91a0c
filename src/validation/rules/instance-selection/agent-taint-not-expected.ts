import { appendItem, TaintingAgent, TAINTING_AGENTS, unsafeFix } from '../../../contract';
import { formatTaint, valueText } from '../../../model';
import { chartValue, installedCharts } from '../../controller';
import { isAutoMode } from '../../eks-auto-mode';
import { whyUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { defineRule } from '../define-rule';
import { nodePoolManifests } from '../subjects';
import { meantStartupTaint } from './startup-taint-never-removed';

/** @see https://docs.cilium.io/en/stable/installation/taints/ */
export const agentTaintNotExpected = defineRule({
  id: 'KARP-250',
  name: 'agent-taint-not-expected',
  severity: 'warning',
  summary:
    'An agent of the input taints new nodes until it is ready, but a NodePool has no such startup taint: Karpenter launches more nodes than the pods need.',
  subjects: nodePoolManifests({
    where: (pool, { model }) => !isAutoMode(pool) && taintingAgents(model).length > 0,
    unknown: ({ object }) => whyUnresolved(object.raw?.spec?.template?.spec?.startupTaints),
  }),
  judge({ object }, { model }) {
    const { startupTaints, taints } = object.raw?.spec?.template?.spec ?? {};
    // KARP-211 finds a startup taint that is among the permanent ones.
    const written = [...recordsOf(startupTaints), ...recordsOf(taints)].map(({ key }) => key);
    return taintingAgents(model)
      .filter(({ taint }) => !written.some((key) => key === taint.key || isMeant(taint.key, key)))
      .map(({ name, taint }) => ({
        path: ['spec', 'template', 'spec', 'startupTaints'],
        message: `${name} taints each new node with ${taint.key} until its agent is ready, and the NodePool does not expect this taint: Karpenter launches further nodes for the pods that wait`,
        remedy: `add the startup taint ${formatTaint(taint)}`,
        evidence: { agent: name, taint: taint.key },
        fix: unsafeFix(appendItem(['spec', 'template', 'spec', 'startupTaints'], taint)),
      }));
  },
});

/** A startup taint that resembles this one is reported by KARP-258. */
function isMeant(taint: string, key: unknown): boolean {
  return typeof key === 'string' && meantStartupTaint(key)?.key === taint;
}

/** The agents whose DaemonSet or chart is in the input, and whose configuration there, if any, has the taint. */
function taintingAgents(model: ManifestModel): TaintingAgent[] {
  const { workloads, objects } = model;
  return TAINTING_AGENTS.filter(
    ({ daemonSets, setting, chart }) =>
      (workloads.some(({ kind, name }) => kind === 'DaemonSet' && daemonSets.includes(name)) ||
        installedCharts(model, chart.name).some(
          ({ values }) =>
            values && chart.values.every((path) => valueText(chartValue(values, ...path) ?? '') !== 'false'),
        )) &&
      !objects.some(
        ({ kind, name, raw }) =>
          kind === 'ConfigMap' && name === setting.configMap && raw?.data?.[setting.key] !== 'true',
      ),
  );
}
