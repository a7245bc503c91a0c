/**
 * Makes the pictures of the HTML report in docs/images/, for the README: the report of a fleet of 60 Deployments in
 * both themes, and the drawing of its nodes. `npx projen pictures`
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { check, renderHtml, RULES } from '../../src/validation';
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
  await browser.close();
}

const TOLERATIONS =
  'tolerations: [{ key: arch, operator: Exists }, { key: team, operator: Exists }, { key: critical, operator: Exists }, { key: nvidia.com/gpu, operator: Exists }]';

void main();
