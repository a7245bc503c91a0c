import { plural, Section } from './section';
import { CapacityBufferVerdict, Verdict } from './verdict';

export function describeCapacityBuffers({ capacityBuffers }: Verdict): Section {
  return { title: 'Capacity buffers', lines: capacityBuffers.map(describeBuffer) };
}

function describeBuffer({ name, pods, scheduledPods }: CapacityBufferVerdict): string {
  return `  ${name}: room for ${scheduledPods === pods ? plural(pods, 'pod') : `${scheduledPods} of ${plural(pods, 'pod')}`} on the nodes above, which count these pods as any others`;
}
