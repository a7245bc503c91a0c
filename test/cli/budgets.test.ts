import { run } from './run';
import { NODE_CLASS, nodePool } from '../validation/setup';

const POOL = nodePool(
  ['m5.large'],
  'office',
  `  disruption:
    consolidateAfter: 1m
    budgets:
      - nodes: "2"
      - { nodes: "0", schedule: 0 8 * * mon-fri, duration: 10h, reasons: [Underutilized, Drifted] }
`,
);
const INPUT = [NODE_CLASS, POOL].join('---\n');

describe('budgets', () => {
  test('prints how many nodes may be disrupted in each hour, in UTC and in the time zone', async () => {
    const { code, out, err } = await run(['budgets', '-', '--time-zone', 'Asia/Tokyo'], INPUT);
    expect([code, err]).toEqual([0, '']);
    expect(
      out,
    ).toBe(`NodePool office (no node; percentages are of 10 nodes): nodes that may be disrupted at the same time, in the week from 2026-01-05
  Empty and Unhealthy: 2 at any time
  Underutilized and Drifted, UTC:
              0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16  17  18  19  20  21  22  23
    Mon-Fri   2   2   2   2   2   2   2   2   0   0   0   0   0   0   0   0   0   0   2   2   2   2   2   2
    Sat-Sun   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2
  Underutilized and Drifted, Asia/Tokyo:
              0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16  17  18  19  20  21  22  23
    Mon       2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   0   0   0   0   0   0   0
    Tue-Fri   0   0   0   2   2   2   2   2   2   2   2   2   2   2   2   2   2   0   0   0   0   0   0   0
    Sat       0   0   0   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2
    Sun       2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2   2
`);
  });

  test('writes JSON with the least and the most of each hour', async () => {
    const { out } = await run(['budgets', '-', '--format', 'json'], INPUT);
    const { week, calendars } = JSON.parse(out) as {
      week: string;
      calendars: ReadonlyArray<{ weeks: ReadonlyArray<{ days: ReadonlyArray<readonly object[]> }> }>;
    };
    expect(week).toBe('2026-01-05');
    expect(calendars[0].weeks[1].days[0].slice(7, 9)).toEqual([
      { least: 2, most: 2 },
      { least: 0, most: 0 },
    ]);
  });

  test('are drawn in the page of check for NodePools with a schedule only', async () => {
    const pageOf = async (input: string) => (await run(['check', '-', '--format', 'html'], input)).out;
    const page = await pageOf(INPUT);
    expect(page).toContain('<h2>Disruption budgets</h2>');
    expect(page.match(/aria-label="[^"]*, UTC"/g)).toEqual(['aria-label="Underutilized and Drifted, UTC"']);
    expect(await pageOf(INPUT.replace(/ *- \{ nodes: "0".*\n/, ''))).not.toContain('<h2>Disruption budgets</h2>');
  });

  test('draws a picture of the week in HTML', async () => {
    const { out } = await run(['budgets', '-', '--format', 'html'], INPUT);
    expect(out).toContain('aria-label="Underutilized and Drifted, UTC"');
    expect(out.match(/<rect [^>]*fill="#c0392b"/g)).toHaveLength(50);
  });

  test('writes budgets that allow disruptions only in windows', async () => {
    const { code, out } = await run(['budgets', '--allow', 'mon 01:00-05:00', '--reason', 'Drifted']);
    expect(code).toBe(0);
    expect(out).toBe(`# Nodes are disrupted only then: mon 01:00-05:00 (UTC)
# Expiry and interruptions do not follow budgets.
disruption:
  budgets:
    - nodes: 10%
    - nodes: "0"
      reasons: [Drifted]
      schedule: 0 5 * * mon
      duration: 164h
`);
  });

  test.each([
    ['a window that cannot be read', ['--allow', 'soon'], '--allow: "soon" is no window; write days and two times'],
    ['an unknown time zone', ['-', '--time-zone', 'Mars/X'], '--time-zone: "Mars/X" is unknown'],
    [
      'an unknown reason',
      ['--allow', 'mon 01:00-05:00', '--reason', 'Drift'],
      '--reason: "Drift" is no reason of a budget',
    ],
    ['an unreadable count', ['--allow', 'mon 01:00-05:00', '--nodes', 'all'], '--nodes: "all" is neither a count nor'],
    ['a reason without windows', ['-', '--reason', 'Drifted'], '--reason: needs --allow'],
    ['no input', [], 'name manifests with NodePools'],
  ])('rejects %s', async (_, flags, message) => {
    const { code, err } = await run(['budgets', ...flags], INPUT);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
