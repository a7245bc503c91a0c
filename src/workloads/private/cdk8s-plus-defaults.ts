import { Size } from 'cdk8s';
import { AbstractPodProps, ContainerProps, Cpu } from 'cdk8s-plus-28';
import { FilledIn } from './settings';

const GRACE_SECONDS = 30;

/** The requests that cdk8s-plus sets by default. Its default memory limit exceeds the request; here both are equal. */
const RESOURCES = {
  cpu: { request: Cpu.millis(1000), limit: Cpu.millis(1500) },
  memory: { request: Size.mebibytes(512), limit: Size.mebibytes(512) },
};

export function withMemoryLimit(container: ContainerProps): ContainerProps {
  return container.resources ? container : { ...container, resources: RESOURCES };
}

/** The values that cdk8s-plus fills in because the props leave them out. `replicas` is its default replica count. */
export function filledIn(given: AbstractPodProps & { readonly replicas?: number }, replicas: number): FilledIn {
  return {
    replicas: given.replicas === undefined ? replicas : undefined,
    graceSeconds: given.terminationGracePeriod === undefined ? GRACE_SECONDS : undefined,
  };
}
