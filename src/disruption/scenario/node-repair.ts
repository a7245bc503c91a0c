import { DEFAULT_REPAIR } from '../../contract';
import { isMirror } from '../pod-eviction';
import { Disruptor } from './disruptor';
import { run } from './run';
import { ScenarioReport } from './scenario-report';
import { base, Stage } from './stage';
import { UNREACHABLE_SECONDS } from './unreachable';
import { World } from './world';

/**
 * A kubelet that is no longer heard of, while its instance runs: each of Karpenter's nodes by itself. Kubernetes has its pods made anew
 * elsewhere; the node stays until Karpenter repairs it, where it does that at all.
 */
export function nodeRepairs(stage: Stage): ScenarioReport[] {
  return stage.cluster.nodes.filter(({ claim }) => claim).map(({ name }) => failureOf(name, stage));
}

function failureOf(name: string, stage: Stage): ScenarioReport {
  const repairs = stage.cluster.settings?.nodeRepair === true;
  const happenings = [
    { at: stage.start, happen: (world: World) => fall(world, name) },
    { at: stage.start + UNREACHABLE_SECONDS * 1_000, happen: (world: World) => giveUp(world, name) },
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

/** Kubernetes deletes the pods. Nobody on the node hears of it, so that they are not gone before their node is. */
function giveUp(world: World, name: string): void {
  for (const subject of world.pods.on(name)) {
    if (subject.pod.daemon || isMirror(subject.pod) || subject.phase === 'ending') continue;
    world.end(subject);
    world.pods.become(subject, { phase: 'ending' });
  }
  world.version++;
}
