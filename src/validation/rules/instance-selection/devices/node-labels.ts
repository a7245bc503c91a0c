import { PluginSet } from './plugin-sets';
import { LABEL_AGENTS, LabelAgent, nodeLabelsIn } from '../../../../contract';
import { RequirementSpec, Taint, untolerated, valueText, WELL_KNOWN_LABELS } from '../../../../model';
import { RuleContext } from '../../rule';
import { LaunchingPool } from '../../subjects';

/**
 * Whether a constraint needs a label that nodes of the pool do not have: neither Karpenter, nor the NodePool, nor user
 * data, nor an agent in the input sets it.
 */
export function needsUnsetLabel(
  { key, operator }: RequirementSpec,
  pool: LaunchingPool,
  context: RuleContext,
): boolean {
  const isAbsence = operator === 'NotIn' || operator === 'DoesNotExist';
  if (isAbsence || WELL_KNOWN_LABELS.has(key) || pool.requirements.has(key)) return false;
  const { model } = context;
  const { object, facts } = model.nodeClasses.find(({ object: { name } }) => name === pool.spec.nodeClass) ?? {};
  const userData = valueText(object?.raw.spec?.userData ?? '');
  // The user data of another family may set any label.
  if (facts === undefined || (userData !== '' && facts.amiFamily === 'Custom') || userData.includes(key)) return false;
  if (nodeLabelsIn(facts.amiFamily, userData).has(key)) return false;
  return !LABEL_AGENTS.some(
    (agent) =>
      key.startsWith(agent.prefix) && isInstalled(agent, context) && agentKeptOff(key, pool, context) === undefined,
  );
}

/** The DaemonSet of the agent that sets the label, if the taints of the pool keep it off its nodes. */
export function agentKeptOff(
  key: string,
  { spec }: LaunchingPool,
  { model }: RuleContext,
): (PluginSet & { readonly agent: string; readonly taints: readonly Taint[] }) | undefined {
  const taints = spec.taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
  const sets = LABEL_AGENTS.filter(({ prefix }) => key.startsWith(prefix)).flatMap(({ name: agent, marks }) =>
    model.workloads.flatMap(({ kind, name, object, podPath, shape }) =>
      kind === 'DaemonSet' && shape !== undefined && marks.some((mark) => name.toLowerCase().includes(mark))
        ? [{ agent, object, podPath, shape, taints: untolerated(taints, shape.tolerations) }]
        : [],
    ),
  );
  return sets.every((set) => set.taints.length > 0) ? sets[0] : undefined;
}

/** Whether the input, or another file of the repository, names the agent. */
function isInstalled({ name, marks }: LabelAgent, { model }: RuleContext): boolean {
  if (model.devicePluginsElsewhere?.includes(name)) return true;
  const templates = [...model.aws.helmReleases, ...model.aws.addons].map(({ resource: { properties } }) => properties);
  const everything = [...model.objects, ...(model.cluster?.objects ?? [])].map(({ raw }) => raw);
  return [...everything, ...templates].some((value) => {
    const text = JSON.stringify(value)?.toLowerCase() ?? '';
    return marks.some((mark) => text.includes(mark));
  });
}
