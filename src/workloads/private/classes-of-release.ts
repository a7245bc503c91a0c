/**
 * The Resilient… classes for any release of cdk8s-plus. jsii has those of one release only.
 * tools/build/cdk8s-plus-releases.ts writes a module for TypeScript for each release.
 */
import type { ApiObject } from 'cdk8s';
import type * as plus28 from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { withMemoryLimit } from './cdk8s-plus-defaults';
import { makeResilient } from './make-resilient';

type Plus = Pick<typeof plus28, 'Deployment' | 'StatefulSet' | 'Job' | 'CronJob'>;
/** What all of these classes have in common. */
interface ContainerHolder {
  addContainer(cont: plus28.ContainerProps): plus28.Container;
  addInitContainer(cont: plus28.ContainerProps): plus28.Container;
}
type WorkloadClass = new (scope: Construct, id: string, props: any) => ContainerHolder;

/** @param plus the module cdk8s-plus of a release; the classes of the releases differ in types only */
export function resilientWorkloads(plus: Plus) {
  return {
    ResilientDeployment: resilient('ResilientDeployment', plus.Deployment, 2),
    ResilientStatefulSet: resilient('ResilientStatefulSet', plus.StatefulSet, 1),
    ResilientJob: resilient('ResilientJob', plus.Job),
    ResilientCronJob: resilient('ResilientCronJob', plus.CronJob),
  };
}

function resilient<T extends WorkloadClass>(name: string, base: T, replicas?: number): T {
  const Base: WorkloadClass = base;
  const Resilient = class extends Base {
    constructor(scope: Construct, id: string, props: any = {}) {
      super(scope, id, props);
      makeResilient((this as unknown as { apiObject: ApiObject }).apiObject, props, replicas);
    }

    public override addContainer(cont: plus28.ContainerProps): plus28.Container {
      return super.addContainer(withMemoryLimit(cont));
    }

    public override addInitContainer(cont: plus28.ContainerProps): plus28.Container {
      return super.addInitContainer(withMemoryLimit(cont));
    }
  };
  Object.defineProperty(Resilient, 'name', { value: name });
  return Resilient as unknown as T;
}
