import { restrictionToNodeGroups } from './restriction-to-node-groups';
import { appendItem, removeField, unsafeFix } from '../../../contract';
import { countText, formatTaint, listText, memoizeByIdentity, shortListText, Taint } from '../../../model';
import { PodShape, SchedulePlan } from '../../../scheduling';
import { whyUnresolved } from '../../manifest/find-unresolved';
import { WorkloadManifest } from '../../manifest/model';
import { imagesOf } from '../common/ordinary-pods';
import {
  blockingTaints,
  commonRequirements,
  namesNodes,
  podSpecOf,
  targetsNonKarpenterNodes,
} from '../common/pod-constraints';
import { Pool, poolsOf } from '../common/pool';
import { defineRule, Judgement, NOT_APPLICABLE } from '../define-rule';
import { RuleContext } from '../rule';
import { workloads } from '../subjects';

/** Words in images of programs that collect logs, metrics or events of each node. */
const AGENT =
  /(?:^|[/_-])(fluent-?bit|fluentd|vector|promtail|filebeat|metricbeat|alloy|grafana-agent|node-?exporter|datadog-agent|agent-dd|newrelic|telegraf|opentelemetry-collector[\w-]*|otelcol[\w-]*|aws-otel-collector|cloudwatch-agent|oneagent|falco|splunk-otel[\w-]*|log(?:s|ging)?-(?:agent|collector|forwarder|shipper)|metrics-agent|monitoring-agent)(?:[:@/-]|$)/;

interface MissedPool {
  readonly name: string;
  readonly nodes: number;
  readonly taints: readonly Taint[];
}

/** @see https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations */
export const agentKeptOffTaintedNodes = defineRule({
  id: 'KARP-276',
  name: 'agent-kept-off-tainted-nodes',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'A DaemonSet that collects logs or metrics does not tolerate the taints of some nodes, or requires a label of node groups: the logs or metrics of these nodes are missing.',
  subjects: workloads({
    where: (workload) =>
      workload.shape !== undefined &&
      agentOf(workload) !== undefined &&
      (!targetsNonKarpenterNodes(workload) || restrictionToNodeGroups(workload) !== undefined),
    unknown: (workload) => {
      const { nodeSelector, affinity, tolerations } = podSpecOf(workload) ?? {};
      return whyUnresolved(targetsNonKarpenterNodes(workload) ? [nodeSelector, affinity, tolerations] : tolerations);
    },
  }),
  judge(workload, context) {
    if (targetsNonKarpenterNodes(workload)) return judgeRestriction(workload, context);
    const pools = missedPools(workload, context);
    if (pools === undefined) return NOT_APPLICABLE;
    if (pools.length === 0) return undefined;
    const taints = [...new Set(pools.flatMap((pool) => pool.taints.map(formatTaint)))];
    const nodes = pools.reduce((sum, pool) => sum + pool.nodes, 0);
    return {
      path: [...workload.podPath, 'tolerations'],
      message:
        `does not tolerate ${listText(taints)}, and so does not run on the ${countText(nodes, 'node')} of NodePool ${listText(pools.map(({ name }) => name))}: ` +
        `what ${agentOf(workload)} collects is missing for the pods there`,
      remedy: `tolerate ${shortListText(taints, 3)}, or all taints with operator: Exists`,
      evidence: { agent: agentOf(workload) ?? null, nodePools: pools.map(({ name }) => name), nodes },
      fix: unsafeFix(appendItem([...workload.podPath, 'tolerations'], { operator: 'Exists' })),
    };
  },
});

function agentOf(workload: WorkloadManifest): string | undefined {
  if (workload.kind !== 'DaemonSet') return undefined;
  return imagesOf(workload).flatMap((image) => AGENT.exec(image)?.[1] ?? [])[0];
}

/** An agent that requires a label which every node had before Karpenter launched some. */
function judgeRestriction(workload: WorkloadManifest, context: RuleContext): Judgement {
  const { label, path, removed, shape } = restrictionToNodeGroups(workload)!;
  const agent = agentOf(workload);
  const sets = context.model.workloads.filter((other) => other.shape !== undefined && agentOf(other) === agent);
  const pools = poolsOf(context).filter(
    (pool) =>
      nodesOf(context.plan).has(pool.name) &&
      runsOn(shape, pool) &&
      sets.every((other) => namesNodes(podSpecOf(other)) || !runsOn(other.shape!, pool)),
  );
  if (pools.length === 0) return NOT_APPLICABLE;
  const names = pools.map(({ name }) => name);
  const nodes = names.reduce((sum, name) => sum + nodesOf(context.plan).get(name)!, 0);
  return {
    path,
    message:
      `requires the label ${label}, which Karpenter gives to no node, and so does not run on the ${countText(nodes, 'node')} of NodePool ${listText(names)}: ` +
      `what ${agent} collects is missing for the pods there`,
    remedy: `remove ${label} from its ${path.includes('nodeSelector') ? 'node selector' : 'node affinity'}`,
    evidence: { agent: agent ?? null, nodePools: names, nodes, label },
    ...(removed === undefined ? {} : { fix: unsafeFix(removeField(removed)) }),
  };
}

function runsOn(shape: PodShape, pool: Pool): boolean {
  return (
    pool.spec !== undefined &&
    commonRequirements(shape, pool).length > 0 &&
    blockingTaints(shape, pool.spec.taints).length === 0
  );
}

/** NodePools with planned nodes on which no DaemonSet of the agent runs. Undefined if it runs on no planned node. */
function missedPools(workload: WorkloadManifest, context: RuleContext): MissedPool[] | undefined {
  const agent = agentOf(workload);
  const sets = context.model.workloads.filter((other) => other.shape !== undefined && agentOf(other) === agent);
  const used = poolsOf(context).filter(
    (pool) =>
      pool.spec !== undefined &&
      nodesOf(context.plan).has(pool.name) &&
      commonRequirements(workload.shape!, pool).length > 0,
  );
  const missed = used.filter((pool) => sets.every(({ shape }) => blockingTaints(shape!, pool.spec!.taints).length > 0));
  if (used.length === 0 || missed.length === used.length) return undefined;
  return missed.map(({ name, spec }) => ({
    name,
    nodes: nodesOf(context.plan).get(name)!,
    taints: blockingTaints(workload.shape!, spec!.taints),
  }));
}

/** The planned nodes of each NodePool. */
const nodesOf = memoizeByIdentity(({ nodeClaims }: SchedulePlan) => {
  const nodes = new Map<string, number>();
  for (const { nodePool } of nodeClaims) nodes.set(nodePool, (nodes.get(nodePool) ?? 0) + 1);
  return nodes;
});
