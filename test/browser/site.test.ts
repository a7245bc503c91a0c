import { readFileSync } from 'node:fs';
import { Browser, Page } from 'playwright-core';
import { startBrowser } from './browser';
import { BUILT, builtPages, buildSite, deadLinks } from './site';
import { StaticSite } from './static-site';
import { addressOf, docsPages } from '../../tools/site/pages';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const SHOWN = ['/index.html', '/start/yaml.html', '/rules/KARP-301.html', '/comparison.html', '/api/nodes.html'];

let browser: Browser;
let site: StaticSite;

beforeAll(async () => {
  buildSite();
  site = await StaticSite.serve(BUILT);
  browser = await startBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

test('the site has a page for each page of docs/, and the API reference', () => {
  const built = builtPages();
  const expected = docsPages()
    .map((path) => addressOf(path))
    .map((path) => (path.endsWith('/') ? `${path}index.html` : `${path}.html`));
  expect([...expected, '/api/nodes.html', '/404.html'].filter((page) => !built.includes(page))).toEqual([]);
});

test('no link of the site is dead', () => {
  expect(deadLinks()).toEqual([]);
});

interface Look {
  readonly width: number;
  readonly dark?: boolean;
}

/** Opens a page of the site. Errors on the console and failed requests fail the test. */
async function withPage(path: string, options: Look, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: options.width, height: 900 },
    colorScheme: options.dark ? 'dark' : 'light',
  });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('requestfailed', (request) => problems.push(request.url()));
    await page.goto(new URL(path, site.url).href, { waitUntil: 'networkidle' });
    // The scripts of the page name its switches, on a slow machine after the last request.
    await page.waitForSelector('.VPSwitchAppearance:not([title=""])', { state: 'attached' });
    await use(page);
    expect(problems).toEqual([]);
  } finally {
    await context.close();
  }
}

describe.each(SHOWN)('%s', (path) => {
  test.each([390, 1280])('has no horizontal scroll bar at %i px', (width) =>
    withPage(path, { width }, async (page) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }),
  );

  test.each([
    [390, false],
    [1280, false],
    [1280, true],
  ])('has no serious barrier at %i px, dark: %s', (width, dark) =>
    withPage(path, { width, dark }, async (page) => {
      await page.evaluate(AXE);
      const violations = await page.evaluate(async () => {
        interface Axe {
          run(): Promise<{ violations: Array<{ id: string; impact: string; nodes: Array<{ html: string }> }> }>;
        }
        const { axe } = window as unknown as { axe: Axe };
        return (await axe.run()).violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
      });
      expect(violations).toEqual([]);
    }),
  );
});

test('the search finds a rule by its id, without a server', () =>
  withPage('/index.html', { width: 1280 }, async (page) => {
    await page.locator('.VPNavBarSearch button').click();
    await page.locator('#localsearch-input').fill('KARP-301');
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
    expect(await page.locator('.VPLocalSearchBox .result').first().textContent()).toContain('KARP-301');
  }));
