import { asRecord, FieldFix, FieldPath, removeField, unsafeFix } from '../../../../contract';
import { parseYaml, shortListText } from '../../../../model';
import { gitOpsReleases } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { poolDisruptions } from '../../../manifest/karpenter/pool-disruption';
import { ManifestModel, ManifestObject } from '../../../manifest/model';
import { PlainRecord, recordsOf, stringsOf } from '../../../manifest/records';
import { defineRule } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsFrom } from '../../subjects';

const CHART = 'descheduler';
const PLUGIN = 'LowNodeUtilization';

/** A place that switches the plugin on. */
interface Balancer {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  readonly where: string;
  readonly remedy: string;
  readonly fix?: FieldFix;
}

/**
 * The plugin evicts pods of full nodes, so that they start on nodes with little load. Karpenter drains those nodes.
 *
 * @see https://github.com/kubernetes-sigs/descheduler#lownodeutilization
 */
export const deschedulerUndoesConsolidation = defineRule({
  id: 'KARP-450',
  name: 'descheduler-undoes-consolidation',
  severity: 'warning',
  summary:
    'The descheduler moves pods from full nodes to those with little load, which Karpenter consolidates: the pods are evicted again and again.',
  subjects: subjectsFrom<Balancer>(({ model }) => balancersOf(model), {
    where: (_, context) => consolidatingPools(context).length > 0,
  }),
  judge({ path, where, remedy, fix }, context) {
    const pools = consolidatingPools(context);
    return {
      path,
      message: `${where} ${PLUGIN}: the descheduler evicts pods of full nodes so that they start on nodes with little load, and Karpenter drains just those nodes of NodePool ${shortListText(pools)}: pods are evicted again and again`,
      remedy,
      evidence: { plugin: PLUGIN, nodePools: pools },
      ...(fix === undefined ? {} : { fix }),
    };
  },
});

/** The NodePools whose nodes Karpenter drains if other nodes have room for their pods. */
function consolidatingPools(context: RuleContext): string[] {
  return poolDisruptions(context)
    .flatMap((pool) => {
      if (pool.why !== undefined) return [];
      const { consolidationPolicy, consolidateAfter, name } = pool.disruption;
      return consolidationPolicy === 'WhenEmptyOrUnderutilized' && consolidateAfter !== undefined ? [name] : [];
    })
    .sort();
}

function balancersOf({ objects }: ManifestModel): Balancer[] {
  const charts = gitOpsReleases(objects, CHART).flatMap(({ object, values, complete, valuesPath }): Balancer[] => {
    const policyPath = [...valuesPath, 'deschedulerPolicy'];
    const policy = asRecord(values.deschedulerPolicy);
    if (policy !== undefined) return ofPolicy(object, policyPath, policy);
    return complete ? [ofDefaults(object, valuesPath)] : [];
  });
  const maps = objects
    .filter(({ kind }) => kind === 'ConfigMap')
    .flatMap((object) =>
      Object.entries(asRecord(object.raw?.data) ?? {}).flatMap(([key, text]) => {
        const policy = policyIn(text);
        // The edit of a text is left to the user.
        return policy === undefined
          ? []
          : ofPolicy(object, [], policy).map((found) => ({ ...found, path: ['data', key], fix: undefined }));
      }),
    );
  return [...charts, ...maps];
}

/** Source: `deschedulerPolicy` in charts/descheduler/values.yaml of https://github.com/kubernetes-sigs/descheduler. */
function ofDefaults(object: ManifestObject, path: FieldPath): Balancer {
  return {
    object,
    path,
    where: 'has no deschedulerPolicy in its values, and the default one of the chart enables',
    remedy: `write deschedulerPolicy with the plugins that you need, without ${PLUGIN}`,
  };
}

/** Policies that choose their nodes may leave those of Karpenter out. */
function ofPolicy(object: ManifestObject, path: FieldPath, policy: PlainRecord): Balancer[] {
  if (policy.nodeSelector !== undefined || findUnresolved(policy) !== undefined) return [];
  const written = { object, where: 'enables', remedy: `remove ${PLUGIN}, because Karpenter packs the nodes` };
  const strategies = asRecord(policy.strategies) ?? {};
  if (asRecord(strategies[PLUGIN])?.enabled === true) {
    const own = [...path, 'strategies', PLUGIN];
    return [{ ...written, path: own, fix: unsafeFix(removeField(own)) }];
  }
  return recordsOf(policy.profiles).flatMap(({ plugins, pluginConfig }, profile) => {
    const enabled = asRecord(asRecord(plugins)?.balance)?.enabled;
    const index = stringsOf(enabled).indexOf(PLUGIN);
    const evictor = recordsOf(pluginConfig).find(({ name }) => name === 'DefaultEvictor');
    if (index < 0 || asRecord(evictor?.args)?.nodeSelector !== undefined) return [];
    const own = [...path, 'profiles', profile, 'plugins', 'balance', 'enabled', index];
    return [{ ...written, path: own, fix: unsafeFix(removeField(own)) }];
  });
}

function policyIn(text: unknown): PlainRecord | undefined {
  if (typeof text !== 'string' || !text.includes('DeschedulerPolicy')) return undefined;
  try {
    const policy = asRecord(parseYaml(text));
    return policy?.kind === 'DeschedulerPolicy' ? policy : undefined;
  } catch {
    return undefined;
  }
}
