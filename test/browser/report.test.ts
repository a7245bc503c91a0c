import { readFileSync } from 'node:fs';
import { Browser, Page } from 'playwright-core';
import { startBrowser } from './browser';
import { FLEET, LARGE, PAGES, renderHtml, RULES } from './pages';

const WIDTHS = [360, 768, 1280, 1920];
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Opens a page for one test. Texts on the console and exceptions fail the test. */
async function withPage(
  html: string,
  width: number,
  use: (page: Page) => Promise<void>,
  options: { readonly dark?: boolean; readonly script?: boolean } = {},
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: options.dark ? 'dark' : 'light',
    javaScriptEnabled: options.script ?? true,
    bypassCSP: false,
  });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    await page.setContent(html, { waitUntil: 'load' });
    await use(page);
    expect(problems).toEqual([]);
  } finally {
    await context.close();
  }
}

describe.each(Object.keys(PAGES))('the report of %s', (name) => {
  test.each(WIDTHS)('has no horizontal scroll bar at %i px', (width) =>
    withPage(PAGES[name], width, async (page) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }),
  );

  test.each(WIDTHS)('breaks no word in a table at %i px', (width) =>
    withPage(PAGES[name], width, async (page) => {
      expect(await page.evaluate(brokenWords)).toEqual([]);
    }),
  );
});

/** Words of visible cells that are broken into two lines. Runs in the page. */
function brokenWords(): string[] {
  const broken: string[] = [];
  for (const cell of document.querySelectorAll<HTMLElement>('th, td')) {
    if (!cell.checkVisibility()) continue;
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { 0: word, index } of node.textContent!.matchAll(/[A-Za-z]{2,}/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
  }
  return broken;
}

test.each([
  ['fleet', FLEET.nodes.length],
  ['large', LARGE.nodes.length],
] as const)('draws a tile for each node of %s', (name, nodes) =>
  withPage(PAGES[name], 1280, async (page) => {
    expect(await page.locator('.tile').count()).toBe(nodes);
  }),
);

test('a fleet of about 1,000 nodes loads in less than a second of CPU time', () =>
  withPage('<p>', 1280, async (page) => {
    expect(LARGE.nodes.length).toBeGreaterThan(800);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const cpuSeconds = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')!.value;
    };
    const before = await cpuSeconds();
    await page.evaluate(async (html) => {
      const frame = document.createElement('iframe');
      frame.width = '1280';
      frame.height = '900';
      await new Promise((resolve) => {
        frame.onload = resolve;
        frame.srcdoc = html;
        document.body.append(frame);
      });
    }, PAGES.large);
    const spent = (await cpuSeconds()) - before;
    expect(spent).toBeGreaterThan(0.01);
    expect(spent).toBeLessThan(1);
  }));

describe('findings', () => {
  test('are filtered by severity and text with the keyboard', () =>
    withPage(PAGES.fleet, 1280, async (page) => {
      const count = () => page.locator('#findings .count').textContent();
      expect(await count()).toBe(`${FLEET.findings.length} findings`);
      await page.focus('[data-severity=warning]');
      await page.keyboard.press('Enter');
      const warnings = FLEET.findings.filter(({ severity }) => severity === 'warning').length;
      expect(await count()).toBe(`${warnings} findings`);
      await page.focus('#findings input');
      const {
        subject: { namespace },
      } = FLEET.findings.find(({ severity, rule }) => severity === 'warning' && rule === 'KARP-402')!;
      const words = ['karp-402', 'deployment', `${namespace}/`];
      await page.keyboard.type(words.join(' '));
      // The remedy of another finding may name the rule and the workload.
      const textOf = ({
        rule,
        subject: { kind, namespace: of, name },
        message,
        remedy,
      }: (typeof FLEET.findings)[number]) => `${rule} ${kind} ${of}/${name} ${message} ${remedy}`.toLowerCase();
      const matching = FLEET.findings.filter(
        (finding) => finding.severity === 'warning' && words.every((word) => textOf(finding).includes(word)),
      ).length;
      expect(await count()).toBe(`${matching} ${matching === 1 ? 'finding' : 'findings'}`);
      expect(await page.locator('#findings .it:not([hidden])').count()).toBe(matching);
    }));

  test('say that nothing matches, and how to see all again', () =>
    withPage(PAGES.fleet, 1280, async (page) => {
      await page.fill('#findings input', 'nothing has this text');
      expect(await page.locator('#findings [data-none]').isVisible()).toBe(true);
      await page.click('[data-clear]');
      expect(await page.locator('#findings .count').textContent()).toBe(`${FLEET.findings.length} findings`);
    }));

  test('show their source when they are opened', () =>
    withPage(PAGES.broken, 1280, async (page) => {
      const [first] = await page.locator('#findings .it').all();
      await first.locator('summary').focus();
      await page.keyboard.press('Enter');
      expect(await first.locator('.code pre').first().isVisible()).toBe(true);
    }));
});

describe('the fleet', () => {
  test('is walked with the arrow keys, and Enter opens a node', () =>
    withPage(PAGES.fleet, 768, async (page) => {
      await page.locator('.tile[tabindex="0"]').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const focused = await page.evaluate(() => document.activeElement!.id);
      expect(await page.locator('.panel h3 span').first().textContent()).toBe(focused.replace('node-', ''));
      await page.keyboard.press('Escape');
      expect(await page.locator('.panel').isVisible()).toBe(false);
      expect(await page.evaluate(() => document.activeElement!.id)).toBe(focused);
    }));

  test('is drawn by memory on request', () =>
    withPage(PAGES.fleet, 1280, async (page) => {
      const paths = () => page.locator('.tile .plot').first().innerHTML();
      const before = await paths();
      await page.click('[data-resource=memory]');
      expect(await paths()).not.toBe(before);
    }));

  test('dims all other namespaces', () =>
    withPage(PAGES.fleet, 1280, async (page) => {
      await page.click('.chip[data-key=shop]');
      const keys = await page.evaluate(() => [
        ...new Set([...document.querySelectorAll<SVGPathElement>('.map .p.on')].map(({ dataset }) => dataset.key)),
      ]);
      expect(keys).toEqual(['shop']);
    }));
});

test('workloads are sorted by a click on the title of a column', () =>
  withPage(PAGES.fleet, 1280, async (page) => {
    await page.click('#workloads th:has-text("A month") button');
    const costs = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('#workloads tbody tr td:nth-child(6)')].map(({ dataset }) =>
        Number(dataset.value),
      ),
    );
    expect(costs).toEqual([...costs].sort((a, b) => b - a));
  }));

test('a slider tells the ready pods of a scenario at a time', () =>
  withPage(PAGES.quickstart, 1280, async (page) => {
    const slider = page.locator('.scrub input').first();
    await slider.focus();
    await page.keyboard.press('End');
    expect(await page.locator('.scrub output').first().textContent()).toMatch(
      /^After \d\d:\d\d:\d\d: \d+ pods ready, \d+ nodes?$/,
    );
  }));

describe.each([
  ['light', false],
  ['dark', true],
] as const)('in the %s theme', (_, dark) => {
  test.each(Object.keys(PAGES))('the report of %s has no serious problem of accessibility', (name) =>
    withPage(
      PAGES[name],
      1280,
      async (page) => {
        // The policy of the page forbids scripts of others, but not those of the debugger.
        const session = await page.context().newCDPSession(page);
        await session.send('Runtime.evaluate', { expression: AXE });
        const { result } = await session.send('Runtime.evaluate', {
          expression:
            'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 200), nodes[0].failureSummary])))',
          awaitPromise: true,
        });
        expect(JSON.parse(result.value as string)).toEqual([]);
      },
      { dark },
    ),
  );
});

test('names with markup stay text', () => {
  const attack = '<script>window.attacked = true</script><img src=x onerror="window.attacked = true">';
  const verdict = JSON.parse(
    JSON.stringify(FLEET, (key, value: unknown) =>
      typeof value === 'string' &&
      ['name', 'nodePool', 'workload', 'message', 'remedy', 'file', 'namespace'].includes(key)
        ? `${attack}${value}`
        : value,
    ),
  ) as typeof FLEET;
  return withPage(renderHtml(verdict, undefined, RULES), 1280, async (page) => {
    for (const tile of (await page.locator('.tile').all()).slice(0, 3)) await tile.click();
    expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
    expect(await page.locator('img, script[src]').count()).toBe(0);
    expect(await page.locator('h3', { hasText: attack }).count()).toBeGreaterThan(0);
  });
});

test('findings and nodes are readable without scripts', () =>
  withPage(
    PAGES.fleet,
    1280,
    async (page) => {
      await page.locator('#nodes > summary').click();
      expect(await page.locator('#nodes tbody tr').count()).toBe(FLEET.nodes.length);
      expect(await page.locator('#nodes table').isVisible()).toBe(true);
      expect(await page.locator('#findings .grp').first().isVisible()).toBe(true);
      expect(await page.locator('.filters').isVisible()).toBe(false);
    },
    { script: false },
  ));

test('the fleet prints on at most ten pages', () =>
  withPage(PAGES.fleet, 1280, async (page) => {
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    const pages = pdf.match(/\/Type\s*\/Page\b/g)!.length;
    expect(pages).toBeGreaterThan(1);
    expect(pages).toBeLessThanOrEqual(10);
  }));
