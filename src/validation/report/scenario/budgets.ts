import { Budget } from '../../../disruption';
import { countText, formatGoDuration, jsonText, listText } from '../../../model';
import { AllowingBudgets } from '../../scenario/allowed-windows';
import { BudgetCalendar, BudgetCalendars, CalendarHour, CalendarWeek } from '../../scenario/budget-calendar';
import { withoutControlCharacters } from '../wording';

export const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const CELL = 4;

/** The calendars as text: a table of hours for each NodePool and its reasons. */
export function renderBudgetsText(calendars: BudgetCalendars): string {
  const { week, calendars: pools, notes } = withoutControlCharacters(calendars);
  const blocks = pools.map((pool) =>
    [poolTitle(pool, week), ...pool.weeks.flatMap((row) => describeWeek(row).map((line) => `  ${line}`))].join('\n'),
  );
  const hints = [
    ...(pools.some(changesWithinHours) ? ['*: it changes within the hour, and the lower number is printed'] : []),
    ...notes,
  ];
  return `${[...blocks, ...(hints.length === 0 ? [] : [hints.map((hint) => `- ${hint}`).join('\n')])].join('\n\n')}\n`;
}

/** The calendars as JSON. The same input gives the same bytes. */
export function renderBudgetsJson({ week, calendars, notes }: BudgetCalendars): string {
  return jsonText({ week, calendars, notes });
}

export function poolTitle({ nodePool, nodes, isAssumed }: BudgetCalendar, week: string): string {
  const count = isAssumed ? `no node; percentages are of ${countText(nodes, 'node')}` : countText(nodes, 'node');
  return `NodePool ${nodePool} (${count}): nodes that may be disrupted at the same time, in the week from ${week}`;
}

export function weekTitle({ reasons, timeZone }: CalendarWeek): string {
  return `${listText(reasons)}, ${timeZone}`;
}

/** `2`, `all` without a limit; with `*` if it changes within the hour. */
export function hourText({ least, most }: CalendarHour): string {
  return `${least ?? 'all'}${least === most ? '' : '*'}`;
}

function changesWithinHours({ weeks }: BudgetCalendar): boolean {
  return weeks.some(({ days }) => days.flat().some(({ least, most }) => least !== most));
}

function describeWeek(week: CalendarWeek): string[] {
  const cells = week.days.map((hours) => hours.map(hourText));
  const [[first]] = cells;
  if (cells.flat().every((cell) => cell === first))
    return week.timeZone === 'UTC'
      ? [`${listText(week.reasons)}: ${first === 'all' ? 'any number' : first} at any time`]
      : [];
  const rows = cells.reduce<Array<{ first: number; last: number; cells: string[] }>>((groups, hours, day) => {
    const previous = groups.at(-1);
    if (previous && previous.cells.join() === hours.join()) previous.last = day;
    else groups.push({ first: day, last: day, cells: hours });
    return groups;
  }, []);
  const head = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(CELL)).join('');
  return [
    `${weekTitle(week)}:`,
    `  ${''.padEnd('Mon-Sun'.length)}${head}`,
    ...rows.map(
      (row) =>
        `  ${(row.first === row.last ? DAY_NAMES[row.first] : `${DAY_NAMES[row.first]}-${DAY_NAMES[row.last]}`).padEnd('Mon-Sun'.length)}${row.cells.map((cell) => cell.padStart(CELL)).join('')}`,
    ),
  ];
}

/**
 * Budgets as YAML for a NodePool's `spec`.
 *
 * @param nodes how many nodes may be disrupted at the same time within the windows
 */
export function renderAllowingBudgets(allowing: AllowingBudgets, windows: string, nodes: string): string {
  return [
    `# Nodes are disrupted only then: ${windows}`,
    ...allowing.notes.map((note) => `# ${note}`),
    '# Expiry and interruptions do not follow budgets.',
    'disruption:',
    '  budgets:',
    ...budgetSpecs(allowing, nodes).flatMap(budgetLines),
    '',
  ].join('\n');
}

/** Budgets as a NodePool has them. */
export function budgetSpecs({ budgets }: AllowingBudgets, nodes: string): BudgetSpec[] {
  return [{ nodes }, ...budgets].map(({ duration, ...budget }: Budget) => ({
    ...budget,
    ...(duration === undefined ? {} : { duration: formatGoDuration(duration / 1_000) }),
  }));
}

type BudgetSpec = Omit<Budget, 'duration'> & { readonly duration?: string };

function budgetLines({ nodes, reasons, schedule, duration }: BudgetSpec): string[] {
  return [
    `    - nodes: ${/^\d+$/.test(nodes) ? `"${nodes}"` : nodes}`,
    ...(reasons === undefined ? [] : [`      reasons: [${reasons.join(', ')}]`]),
    ...(schedule === undefined ? [] : [`      schedule: ${schedule}`]),
    ...(duration === undefined ? [] : [`      duration: ${duration}`]),
  ];
}
