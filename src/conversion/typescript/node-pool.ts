import { enumOf, Cursor, listOf, number, struct, text, textMap, Writer } from './cursor';
import { chooseExpression } from './evaluate';
import { call, Expression, literal, object } from './expression';
import { duration, durationOrNever, limits, timestamp } from './quantities';
import { RequirementReferences, requirements } from './requirements';
import { valueText } from '../../model';

/** Objects that a NodePool can refer to. */
export interface NodePoolReferences extends RequirementReferences {
  /** Expression of the EC2NodeClass with this name: imported if the program does not have it. */
  nodeClass(name: string): Expression;
}

const taint = struct(
  {
    key: ['key', text],
    value: ['value', text],
    effect: ['effect', enumOf('TaintEffect')],
    timeAdded: ['timeAdded', timestamp],
  },
  ['key', 'effect'],
);

const budgetOptions = struct({
  reasons: ['reasons', listOf(enumOf('DisruptionReason'))],
  schedule: ['schedule', cron],
  duration: ['duration', duration],
});

const disruption = struct({
  consolidationPolicy: ['consolidationPolicy', enumOf('ConsolidationPolicy')],
  consolidateAfter: ['consolidateAfter', durationOrNever('Consolidation')],
  budgets: ['budgets', listOf(budget)],
});

/** Writes the properties of a NodePool from the whole object. */
export function nodePoolProps(references: NodePoolReferences): Writer {
  return struct(
    {
      nodeClass: [
        'spec.template.spec.nodeClassRef',
        ({ fields }) => (typeof fields.name === 'string' ? references.nodeClass(fields.name) : undefined),
      ],
      requirements: ['spec.template.spec.requirements', requirements(references)],
      labels: ['spec.template.metadata.labels', textMap],
      annotations: ['spec.template.metadata.annotations', textMap],
      taints: ['spec.template.spec.taints', listOf(taint)],
      startupTaints: ['spec.template.spec.startupTaints', listOf(taint)],
      expireAfter: ['spec.template.spec.expireAfter', durationOrNever('Expiration')],
      terminationGracePeriod: ['spec.template.spec.terminationGracePeriod', duration],
      disruption: ['spec.disruption', disruption],
      limits: ['spec.limits', limits(['cpu', 'memory', 'nodes'])],
      weight: ['spec.weight', number],
      replicas: ['spec.replicas', number],
    },
    ['nodeClass'],
  );
}

function budget(cursor: Cursor): Expression | undefined {
  const options = budgetOptions(cursor) ?? object([]);
  const more = options.kind === 'object' && options.entries.length > 0 ? [options] : [];
  const { nodes = '10%' } = cursor.fields;
  const amount = Number.parseInt(valueText(nodes), 10);
  if (!Number.isSafeInteger(amount)) return undefined;
  return chooseExpression(
    [call('nodes.DisruptionBudget', valueText(nodes).endsWith('%') ? 'percent' : 'nodes', literal(amount), ...more)],
    cursor.value,
  );
}

/** Methods of `Cron` for the macros of a schedule. */
const CRON_MACROS: Readonly<Record<string, string>> = {
  '@hourly': 'hourly',
  '@daily': 'daily',
  '@midnight': 'daily',
  '@weekly': 'weekly',
  '@monthly': 'monthly',
  '@yearly': 'annually',
  '@annually': 'annually',
};

function cron({ value }: Cursor): Expression | undefined {
  if (typeof value !== 'string') return undefined;
  if (Object.hasOwn(CRON_MACROS, value)) return call('Cron', CRON_MACROS[value]);
  const fields = value.trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const names = ['minute', 'hour', 'day', 'month', 'weekDay'];
  // cdk8s writes `*` for a field that is not given.
  const entries = names.flatMap((key, i) =>
    fields[i] === '*' ? [] : [{ key, value: literal(fields[i]), comments: [] }],
  );
  return entries.length === 0 ? call('Cron', 'everyMinute') : call('Cron', 'schedule', object(entries));
}
