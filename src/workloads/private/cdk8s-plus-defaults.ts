import { Size } from 'cdk8s';
import { AbstractPodProps, ContainerProps, Cpu } from 'cdk8s-plus-28';
import { Cdk8sPlusDefaults } from './settings';

const GRACE_SECONDS = 30;

/** The requests that cdk8s-plus sets by default. Its default memory limit exceeds the request; here both are equal. */
const RESOURCES = {
  cpu: { request: Cpu.millis(1000), limit: Cpu.millis(1500) },
  memory: { request: Size.mebibytes(512), limit: Size.mebibytes(512) },
};

export function withMemoryLimit(container: ContainerProps): ContainerProps {
  return container.resources ? container : { ...container, resources: RESOURCES };
}

/** The values that cdk8s-plus sets because the props leave them out. `replicas` is its default replica count. */
export function defaultedProps(
  props: AbstractPodProps & { readonly replicas?: number },
  replicas: number,
): Cdk8sPlusDefaults {
  return {
    replicas: props.replicas === undefined ? replicas : undefined,
    graceSeconds: props.terminationGracePeriod === undefined ? GRACE_SECONDS : undefined,
  };
}
