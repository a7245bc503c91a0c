import { Size } from 'cdk8s';
import type { AbstractPodProps, ContainerProps } from 'cdk8s-plus-28';
import { Cdk8sPlusDefaults } from './settings';

const GRACE_SECONDS = 30;

/**
 * The requests that every release of cdk8s-plus sets by default. Its default memory limit exceeds the request; here
 * both are equal. `Cpu` of each release has this shape.
 */
const RESOURCES = {
  cpu: { request: { amount: '1000m' }, limit: { amount: '1500m' } },
  memory: { request: Size.mebibytes(512), limit: Size.mebibytes(512) },
};

export function withMemoryLimit(container: ContainerProps): ContainerProps {
  return container.resources ? container : { ...container, resources: RESOURCES };
}

/** The values that cdk8s-plus sets because the props leave them out. `replicas` is its default replica count. */
export function defaultedProps(
  props: AbstractPodProps & { readonly replicas?: number },
  replicas?: number,
): Cdk8sPlusDefaults {
  return {
    replicas: props.replicas === undefined ? replicas : undefined,
    graceSeconds: props.terminationGracePeriod === undefined ? GRACE_SECONDS : undefined,
  };
}
