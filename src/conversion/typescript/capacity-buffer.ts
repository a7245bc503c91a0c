import { choose } from './candidates';
import { constantOf, Cursor, number, struct, text, Writer } from './cursor';
import { call, Expression, literal } from './expression';
import { limits } from './quantities';
import { Variables } from './run';

const SCALABLE_METHODS: Readonly<Record<string, string>> = { Deployment: 'deployment', StatefulSet: 'statefulSet', ReplicaSet: 'replicaSet' };

/** What a CapacityBuffer can refer to. */
export interface Workloads {
  readonly variables: Variables;
  /** Expression of a workload in the program; undefined where there is no such one. */
  workload(apiGroup: string, kind: string, name: string): Expression | undefined;
}

/** Properties of a CapacityBuffer, from the whole object. */
export function capacityBufferProps(workloads: Workloads): Writer {
  return struct({
    scalableRef: ['spec.scalableRef', (at) => scalableRef(at, workloads)],
    podTemplateName: ['spec.podTemplateRef.name', text],
    replicas: ['spec.replicas', number],
    percentage: ['spec.percentage', number],
    limits: ['spec.limits', limits(['cpu', 'memory'])],
    provisioningStrategy: ['spec.provisioningStrategy', constantOf('ProvisioningStrategy')],
  });
}

function scalableRef(at: Cursor, workloads: Workloads): Expression | undefined {
  const { apiGroup = '', kind, name } = at.fields;
  if (typeof kind !== 'string' || typeof name !== 'string') return undefined;
  const workload = workloads.workload(String(apiGroup), kind, name);
  return choose([
    workload && call('nodes.ScalableRef', 'of', workload),
    Object.hasOwn(SCALABLE_METHODS, kind) ? call('nodes.ScalableRef', SCALABLE_METHODS[kind], literal(name)) : undefined,
  ], at.value, workloads.variables);
}
