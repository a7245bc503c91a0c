import { constantOf, Cursor, made, number, struct, text, Writer } from './cursor';
import { chooseExpression, Variables } from './evaluate';
import { call, Expression, literal } from './expression';
import { limits } from './quantities';
import { valueText } from '../../model';

const SCALABLE_METHODS: Readonly<Record<string, string>> = {
  Deployment: 'deployment',
  StatefulSet: 'statefulSet',
  ReplicaSet: 'replicaSet',
};

/** Objects of the program that a CapacityBuffer can refer to. */
export interface WorkloadReferences {
  readonly variables: Variables;
  /** Expression of a workload in the program; undefined if the program has no such workload. */
  workload(apiGroup: string, kind: string, name: string): Expression | undefined;
}

/** Writes the properties of a CapacityBuffer from the whole object. */
export function capacityBufferProps(workloads: WorkloadReferences): Writer {
  return struct(
    {
      pods: [
        ['spec.scalableRef', (cursor) => scalablePods(cursor, workloads)],
        ['spec.podTemplateRef.name', made('BufferedPods', 'podTemplate', text)],
      ],
      replicas: ['spec.replicas', number],
      percentage: ['spec.percentage', number],
      limits: ['spec.limits', limits(['cpu', 'memory'])],
      provisioningStrategy: ['spec.provisioningStrategy', constantOf('ProvisioningStrategy')],
    },
    ['pods'],
  );
}

function scalablePods(cursor: Cursor, workloads: WorkloadReferences): Expression | undefined {
  const { apiGroup = '', kind, name } = cursor.fields;
  if (typeof kind !== 'string' || typeof name !== 'string') return undefined;
  const workload = workloads.workload(valueText(apiGroup), kind, name);
  return chooseExpression(
    [
      workload && call('nodes.BufferedPods', 'of', workload),
      Object.hasOwn(SCALABLE_METHODS, kind)
        ? call('nodes.BufferedPods', SCALABLE_METHODS[kind], literal(name))
        : undefined,
    ],
    { scalableRef: cursor.value },
    workloads.variables,
  );
}
