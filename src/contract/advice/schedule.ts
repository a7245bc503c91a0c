/**
 * Source: IsActive in pkg/apis/v1/nodepool.go of sigs.k8s.io/karpenter v1.15.0, which parses with
 * github.com/robfig/cron/v3.
 */
import { CRON_MACROS, CronSchedule } from '../../model';
import { FieldPath, FieldProblem } from '../field-problem';
import { asRecord } from '../value-rule';
import { misread } from './misread';

/**
 * The schema's pattern is loose: what it lets through and the parser does not, makes the budget allow no disruption at
 * all.
 */
export function adviseOnBudgets(path: FieldPath, raw: unknown): FieldProblem[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item, i) => {
    const schedule = asRecord(item)?.schedule;
    if (typeof schedule !== 'string' || CronSchedule.tryParse(schedule)) return [];
    const remedy = `write five fields such as "0 9 * * mon-fri", or one of ${CRON_MACROS.join(', ')}; times are UTC`;
    return [misread([...path, i, 'schedule'], 'must be a cron schedule, or no disruption is allowed at any time', schedule, remedy)];
  });
}
