import { Size } from 'cdk8s';
import { ContainerProps, Cpu } from 'cdk8s-plus-28';

/** What cdk8s-plus requests of its own accord; the limits that go with it are above for memory, which nobody has asked for. */
const RESOURCES = {
  cpu: { request: Cpu.millis(1000), limit: Cpu.millis(1500) },
  memory: { request: Size.mebibytes(512), limit: Size.mebibytes(512) },
};

export function withMemoryLimit(container: ContainerProps): ContainerProps {
  return container.resources ? container : { ...container, resources: RESOURCES };
}
