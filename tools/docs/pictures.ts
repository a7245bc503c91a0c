/**
 * Makes the pictures of the HTML report in docs/images/, for the README: the report of a fleet of 60 Deployments in
 * both themes, and the drawing of its nodes; and the cheaper NodePool of examples/costs. `npx projen pictures`
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'cdk8s';
import { Browser } from 'playwright-core';
import { stringify } from 'yaml';
import { CostsChart } from '../../examples/costs/chart';
import { check, checkedSession, cheaperNodePool, renderHtml, RULES } from '../../src/validation';
import { startBrowser } from '../../test/browser/browser';
import { reportFleet } from '../../test/support/report-fleet';

const FOLDER = join(__dirname, '../..', 'docs', 'images');
const SIZE = { width: 1190, height: 1600 };
const HEIGHT = 640;

async function main(): Promise<void> {
  // The tolerations of the fleet are an error of its own; the picture shows the drawing first.
  const sources = reportFleet().map(({ path, text }) => ({
    path,
    text: text.replaceAll('tolerations: [{ operator: Exists }]', TOLERATIONS),
  }));
  const html = renderHtml(check(sources, { region: 'us-east-1' }), undefined, RULES);
  mkdirSync(FOLDER, { recursive: true });
  const browser = await startBrowser();
  for (const theme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: theme });
    await page.setContent(html, { waitUntil: 'load' });
    await page.screenshot({
      path: join(FOLDER, `report-${theme}.png`),
      clip: { x: 0, y: 0, width: SIZE.width, height: HEIGHT },
    });
    const fleet = (await page.locator('.fleet').boundingBox())!;
    await page.screenshot({ path: join(FOLDER, `fleet-${theme}.png`), clip: { ...fleet, height: HEIGHT } });
    await page.close();
  }
  await drawCheaper(browser);
  await browser.close();
}

/** The card with the change that makes the nodes of an example cheaper. */
async function drawCheaper(browser: Browser): Promise<void> {
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: new CostsChart(new App(), 'costs').toJson() });
  const files = [{ path: 'costs.yaml', text: stringify(JSON.parse(text)) }];
  const { session, verdict } = checkedSession(files, { settle: {} });
  const html = renderHtml({ ...verdict, cheaper: cheaperNodePool(session, verdict, { files }) }, undefined, RULES);
  for (const theme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: theme });
    await page.setContent(html, { waitUntil: 'load' });
    await page.locator('#cheaper').screenshot({ path: join(FOLDER, `cheaper-${theme}.png`) });
    await page.close();
  }
}

const TOLERATIONS =
  'tolerations: [{ key: arch, operator: Exists }, { key: team, operator: Exists }, { key: critical, operator: Exists }, { key: nvidia.com/gpu, operator: Exists }]';

void main();
