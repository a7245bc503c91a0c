import { keptOff } from './driver-kept-off';
import { ENOUGH_ADDONS, installs } from './installers';
import {
  AGENT_STARTUP_TAINTS,
  AgentStartupTaint,
  appendItem,
  FieldPath,
  removeField,
  setField,
  STORAGE_DRIVERS,
  clusterProgramsIn,
  unsafeFix,
} from '../../../contract';
import { formatTaint, labelDomain, labelName, listText, nearestName, Taint, untolerated } from '../../../model';
import { installedCharts } from '../../controller';
import { isAutoMode } from '../../eks-auto-mode';
import { whyUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { podSpecOf } from '../common/pod-constraints';
import { defineRule, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { nodePoolManifests } from '../subjects';

const STARTUP_TAINTS: FieldPath = ['spec', 'template', 'spec', 'startupTaints'];
const CILIUM_KEY = 'node.cilium.io/agent-not-ready';
const ISTIO_KEY = 'cni.istio.io/not-ready';
/** Istiod removes the taint of Istio CNI only with this setting. */
const ISTIO_SETTING = 'PILOT_ENABLE_NODE_UNTAINT_CONTROLLERS';

/**
 * Karpenter waits for startup taints to go before it counts a node as initialized. Until then, no pod without the
 * toleration runs there.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecstartuptaints
 */
export const startupTaintNeverRemoved = defineRule({
  id: 'KARP-258',
  name: 'startup-taint-never-removed',
  severity: 'error',
  summary: 'Nothing removes a startup taint of a NodePool: its nodes never take pods.',
  subjects: nodePoolManifests({
    where: (pool) => !isAutoMode(pool) && startupTaintsOf(pool.object.raw).length > 0,
    unknown: ({ object }) => whyUnresolved(object.raw?.spec?.template?.spec?.startupTaints),
  }),
  judge: ({ object }, context) =>
    startupTaintsOf(object.raw).flatMap((taint, index) => {
      const { model } = context;
      const agent = AGENT_STARTUP_TAINTS.find(({ key }) => key === taint.key);
      if (agent === undefined) return misspelt(taint, index, object.name, model) ?? [];
      return (
        notTolerated(taint, agent, object.name, model) ??
        taintKeepsOff(taint, agent, object.name, model) ??
        switchedOff(taint, object.name, model) ??
        notInstalled(taint, index, agent, context) ??
        []
      );
    }),
});

function startupTaintsOf(raw: any): Taint[] {
  return recordsOf(raw?.spec?.template?.spec?.startupTaints).filter(
    ({ key, effect }) => typeof key === 'string' && typeof effect === 'string',
  ) as unknown as Taint[];
}

/**
 * The startup taint that a misspelt one means. The agents' own domains have no other taints, except that of Cilium,
 * and no other domain around them ends with the same name.
 */
export function meantStartupTaint(key: string): AgentStartupTaint | undefined {
  const known = AGENT_STARTUP_TAINTS.map((taint) => taint.key);
  if (known.includes(key)) return undefined;
  const ofDomain = known.find((name) => name !== CILIUM_KEY && labelDomain(name) === labelDomain(key));
  const meant = nearestName(key, known) ?? ofDomain ?? known.find((name) => isInOtherDomain(key, name));
  return AGENT_STARTUP_TAINTS.find((taint) => taint.key === meant);
}

/** Whether two keys have the same name, and one of their domains is inside the other, as that of `cilium.io`. */
function isInOtherDomain(key: string, known: string): boolean {
  const [domain, other] = [labelDomain(key), labelDomain(known)];
  return (
    labelName(key) === labelName(known) && (`.${other}`.endsWith(`.${domain}`) || `.${domain}`.endsWith(`.${other}`))
  );
}

function misspelt({ key }: Taint, index: number, pool: string, model: ManifestModel): SubjectFinding | undefined {
  const agent = meantStartupTaint(key);
  if (agent === undefined || hasOwnKey(model, key)) return undefined;
  return {
    path: [...STARTUP_TAINTS, index, 'key'],
    message: `${agent.agent} removes the taint ${agent.key} from nodes, and nothing removes ${key}: the nodes are never initialized, no pod runs there, and they are paid`,
    remedy: `write ${agent.key} instead of ${key}`,
    evidence: { taint: key, meant: agent.key, stuckPools: [pool] },
    fix: unsafeFix(setField([...STARTUP_TAINTS, index, 'key'], agent.key)),
  };
}

/** Whether the values of Cilium's chart name the taint. */
function hasOwnKey(model: ManifestModel, key: string): boolean {
  return installedCharts(model, 'cilium').some(({ values }) => values?.agentNotReadyTaintKey === key);
}

/** The agent in the input does not start on the nodes from which it has to remove the taint. */
function notTolerated(
  taint: Taint,
  { agent, daemonSets }: AgentStartupTaint,
  pool: string,
  { workloads }: ManifestModel,
): SubjectFinding | undefined {
  const kept = workloads.find(
    ({ kind, name, shape }) =>
      kind === 'DaemonSet' &&
      daemonSets.includes(name) &&
      shape !== undefined &&
      taint.effect !== 'PreferNoSchedule' &&
      untolerated([taint], shape.tolerations).length > 0,
  );
  if (kept === undefined) return undefined;
  const path = [...kept.podPath, 'tolerations'];
  const toleration = { key: taint.key, operator: 'Exists' };
  return {
    object: kept.object,
    path,
    message: `${agent} does not tolerate the startup taint ${formatTaint(taint)} of NodePool ${pool}, which only ${agent} removes: it does not start on these nodes, no other pod runs there, and they are paid`,
    remedy: `add the toleration {key: ${taint.key}, operator: Exists}`,
    evidence: { taint: formatTaint(taint), nodePool: pool, stuckPools: [pool] },
    fix: unsafeFix(appendItem(path, toleration)),
  };
}

/** The agent does not run on nodes with the permanent taints of the NodePool, or of several ones. */
function taintKeepsOff(
  { key }: Taint,
  agent: AgentStartupTaint,
  pool: string,
  model: ManifestModel,
): SubjectFinding | undefined {
  const all = model.nodePools.flatMap(({ object }) => {
    const { taints } = object.raw?.spec?.template?.spec ?? {};
    const hasStartupTaint = startupTaintsOf(object.raw).some((taint) => taint.key === key);
    const found =
      hasStartupTaint && Array.isArray(taints)
        ? keptOff(agent, recordsOf(taints) as unknown as Taint[], model)
        : undefined;
    return found === undefined ? [] : [{ name: object.name, found }];
  });
  const names = all.map(({ name }) => name);
  if (names[0] !== pool) return undefined;
  const { taints, ...place } = all[0].found;
  return {
    ...place,
    message: `${agent.agent} does not tolerate ${taints} of NodePool ${listText(names)}, and nothing else removes the startup taint ${key}: the nodes are never initialized, no pod runs there, and they are paid`,
    evidence: { taint: key, nodePools: names, stuckPools: names },
  };
}

/** The driver of the taint is not in the input, which has other programs for nodes. */
function notInstalled(
  { key }: Taint,
  index: number,
  { agent, daemonSets }: AgentStartupTaint,
  { model, options }: RuleContext,
): SubjectFinding | undefined {
  const driver = STORAGE_DRIVERS.find(({ name }) => key === `${name}/agent-not-ready`);
  if (driver === undefined || options.isSynth || installs(model) < ENOUGH_ADDONS) return undefined;
  const { cluster, objects, installedPrograms = [] } = model;
  const isThere = [...objects, ...(cluster?.objects ?? [])].some(
    ({ kind, name, raw }) =>
      (kind === 'DaemonSet' && daemonSets.includes(name)) ||
      clusterProgramsIn(JSON.stringify(raw) ?? '').includes(driver.name),
  );
  if (isThere || installedPrograms.includes(driver.name)) return undefined;
  const path = [...STARTUP_TAINTS, index];
  return {
    path,
    message: `only ${agent} removes the startup taint ${key}, and nothing in the input installs it: the nodes are never initialized, no pod runs there, and they are paid`,
    remedy: `install ${driver.installedBy}, or remove the startup taint; if another repository installs it, acknowledge this finding`,
    evidence: { taint: key, agent },
    severity: 'warning',
    fix: unsafeFix(removeField(path)),
  };
}

function switchedOff({ key }: Taint, pool: string, { workloads }: ManifestModel): SubjectFinding | undefined {
  if (key !== ISTIO_KEY) return undefined;
  const istiod = workloads.find(({ kind, name }) => kind === 'Deployment' && /^istiod($|-)/.test(name));
  const containers = recordsOf(istiod && podSpecOf(istiod)?.containers);
  if (istiod === undefined || containers.length === 0) return undefined;
  const variables = containers.flatMap(({ env }) => recordsOf(env));
  const setting = variables.find(({ name }) => name === ISTIO_SETTING);
  if (setting?.valueFrom !== undefined || setting?.value === 'true') return undefined;
  return {
    object: istiod.object,
    path: [...istiod.podPath, 'containers'],
    message: `istiod removes the startup taint ${key} of NodePool ${pool} only with ${ISTIO_SETTING}: the nodes are never initialized, no pod runs there, and they are paid`,
    remedy: `set taint.enabled and ${ISTIO_SETTING}: "true" in the values of the chart istiod, or remove the startup taint`,
    evidence: { taint: key, nodePool: pool, setting: ISTIO_SETTING, stuckPools: [pool] },
  };
}
