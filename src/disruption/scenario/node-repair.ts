import { DEFAULT_REPAIR } from '../../contract';
import { ClusterNode } from '../cluster';
import { Disruptor } from './disruptor';
import { run } from './run';
import { ScenarioReport } from './scenario-report';
import { base, Stage } from './stage';
import { lossesOn } from './unreachable';
import { World } from './world';

/**
 * A kubelet that is no longer heard of, while its instance runs: each of Karpenter's nodes by itself. Kubernetes has its pods made anew
 * elsewhere; the node stays until Karpenter repairs it, where it does that at all.
 */
export function nodeRepairs(stage: Stage): ScenarioReport[] {
  return stage.cluster.nodes.filter(({ claim, deleting }) => claim && !deleting).map((node) => failureOf(node, stage));
}

function failureOf(node: ClusterNode, stage: Stage): ScenarioReport {
  const { name } = node;
  const repairs = stage.cluster.settings?.nodeRepair === true;
  const happenings = [
    { at: stage.start, happen: (world: World) => fall(world, name) },
    ...lossesOn([node], stage.start),
  ];
  const disruptor = repairs ? new Disruptor(stage.start, ['Repair']) : undefined;
  const report = run({ ...base('node-repair', stage, happenings), subject: `node ${name}`, disruptor });
  if (repairs) return report;
  const stuck = { what: `node ${name}`, why: 'it is not ready, and the feature gate NodeRepair is off', remedy: 'open the gate: settings.featureGates.nodeRepair: true' };
  return { ...report, stuck: [...report.stuck, stuck] };
}

function fall(world: World, name: string): void {
  const state = world.nodes.get(name)!;
  world.tell(`${name} is no longer heard of`);
  const taints = [...state.node.taints, { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' as const }];
  state.node = { ...state.node, ready: false, faults: [{ since: world.now, ...DEFAULT_REPAIR }], taints };
  state.silent = true;
  world.pods.fallSilent(name);
  world.version++;
}
