import { Size } from 'cdk8s';
import { AbstractPodProps, ContainerProps, Cpu } from 'cdk8s-plus-28';
import { FilledIn } from './settings';

const GRACE_SECONDS = 30;

/** What cdk8s-plus requests of its own accord; the limits that go with it are above for memory, which nobody has asked for. */
const RESOURCES = {
  cpu: { request: Cpu.millis(1000), limit: Cpu.millis(1500) },
  memory: { request: Size.mebibytes(512), limit: Size.mebibytes(512) },
};

export function withMemoryLimit(container: ContainerProps): ContainerProps {
  return container.resources ? container : { ...container, resources: RESOURCES };
}

/** Of a workload that gets so many replicas where none are given. */
export function filledIn(given: AbstractPodProps & { readonly replicas?: number }, replicas: number): FilledIn {
  return {
    replicas: given.replicas === undefined ? replicas : undefined,
    graceSeconds: given.terminationGracePeriod === undefined ? GRACE_SECONDS : undefined,
  };
}
