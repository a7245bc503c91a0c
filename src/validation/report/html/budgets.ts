import { documentOf } from './document';
import { html, Markup, NOTHING } from './markup';
import { BudgetCalendar, BudgetCalendars, CalendarHour, CalendarWeek } from '../../scenario/budget-calendar';
import { DAY_NAMES, hourText, poolTitle, weekTitle } from '../scenario/budgets';
import { withoutControlCharacters } from '../wording';

/** In pixels. */
const [WIDTH, HEIGHT, LEFT, TOP] = [28, 22, 44, 20];
const [NONE, SOME, ALL] = ['#c0392b', '#d9a441', '#3d8f5a'];

/** The calendars as a self-contained HTML page: a picture of the week for each NodePool and its reasons. */
export function budgetsPage(calendars: BudgetCalendars): string {
  const { week, calendars: pools, notes } = withoutControlCharacters(calendars);
  const main = html`<header class="hero"><h1>Disruption budgets</h1><p>How many nodes may be disrupted at the same time, hour by hour: red none, yellow some, green any number.</p></header>
${pools.map((pool, index) => poolPart(pool, week, index))}${notes.map((note) => html`<p class="soft">${note}</p>`)}`;
  return documentOf({
    title: 'disruption budgets',
    links: pools.map(({ nodePool }, index) => [`pool-${index}`, nodePool]),
    main,
    footer: 'Made by karpenter-constructs.',
    data: { currency: 'USD', total: 0, nodes: [], pools: {} },
  });
}

/** The weeks of NodePools whose budgets have schedules, as a section of the verdict's page. */
export function budgetsPart(calendars: BudgetCalendars | undefined): Markup {
  if (calendars === undefined) return NOTHING;
  const { week, calendars: pools } = withoutControlCharacters(calendars);
  const shown = pools.filter(({ weeks }) => weeks.some(isVarying));
  if (shown.length === 0) return NOTHING;
  return html`<section id="budgets" class="sec"><header><h2>Disruption budgets</h2><p>How many nodes may be disrupted at the same time, hour by hour: red none, yellow some, green any number. <code>budgets --time-zone</code> shows other time zones.</p></header>
${shown.map((pool) => html`<p class="soft">${poolTitle(pool, week)}</p>${pool.weeks.filter(isVarying).map(picture)}`)}</section>
`;
}

/** Whether budgets allow more at some hours than at others. */
function isVarying({ days }: CalendarWeek): boolean {
  const [[first]] = days;
  return days.flat().some(({ least, most }) => least !== first.least || most !== first.most || least !== most);
}

function poolPart(pool: BudgetCalendar, week: string, index: number): Markup {
  return html`<section id="pool-${index}" class="sec"><header><h2>${pool.nodePool}</h2><p>${poolTitle(pool, week)}</p></header>
${pool.weeks.map(picture)}</section>
`;
}

function picture(week: CalendarWeek): Markup {
  const [width, height] = [LEFT + 24 * WIDTH, TOP + DAY_NAMES.length * HEIGHT];
  return html`<figure class="card week"><figcaption>${weekTitle(week)}</figcaption><svg role="img" aria-label="${weekTitle(week)}" viewBox="0 0 ${width} ${height}" font-size="10" text-anchor="middle">
${Array.from({ length: 24 }, (_, hour) => html`<text x="${LEFT + (hour + 0.5) * WIDTH}" y="${TOP - 6}" fill="currentColor">${hour}</text>`)}
${week.days.map(
  (
    hours,
    day,
  ) => html`<text x="${LEFT / 2}" y="${TOP + (day + 0.65) * HEIGHT}" fill="currentColor">${DAY_NAMES[day]}</text>${hours.map((hour, index) => cell(hour, index, day))}
`,
)}</svg></figure>
`;
}

function cell(hour: CalendarHour, column: number, row: number): Markup {
  const [x, y] = [LEFT + column * WIDTH, TOP + row * HEIGHT];
  const color = hour.least === null ? ALL : hour.least === 0 ? NONE : SOME;
  return html`<rect x="${x}" y="${y}" width="${WIDTH - 2}" height="${HEIGHT - 2}" rx="2" fill="${color}"/><text x="${x + WIDTH / 2 - 1}" y="${y + HEIGHT * 0.63}" fill="#fff">${hourText(hour)}</text>`;
}
