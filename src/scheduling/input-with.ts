import { ExistingNode, PodGroup, ScheduleInput } from './schedule-input';

/** The same question of these nodes and pods. Asked thousands of times: written out, all have one hidden class. */
export function inputWith(input: Omit<ScheduleInput, 'nodes' | 'pods'>, nodes: readonly ExistingNode[], pods: readonly PodGroup[]): ScheduleInput {
  const { nodePools, nodeClasses, claimsBefore, nodeOverlays, daemonSets, settings, namespaces } = input;
  const whole: { readonly [Key in keyof Required<ScheduleInput>]: ScheduleInput[Key] } = {
    nodePools, nodeClasses, nodes, claimsBefore, nodeOverlays, pods, daemonSets, settings, namespaces,
  };
  return whole;
}
