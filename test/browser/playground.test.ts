import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Browser, Page } from 'playwright-core';
import { startBrowser } from './browser';
import { checkOutput } from './command-line';
import { StaticSite } from './static-site';
import { buildPlayground } from '../../tools/build/build-playground';

const ROOT = join(__dirname, '../..');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const MAX_BYTES = 1_500_000;
const MAX_SECONDS = 2;

let folder: string;
let site: StaticSite;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'playground-'));
  await buildPlayground(join(folder, 'playground'));
  site = await StaticSite.serve(folder);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
  rmSync(folder, { recursive: true });
});

interface PageOptions {
  readonly fragment?: string;
  readonly width?: number;
  readonly dark?: boolean;
}

/** Opens the page with an empty cache. Exceptions, and requests to other hosts, fail the test. */
async function withPage(
  use: (page: Page) => Promise<void>,
  { fragment = '', width = 1280, dark = false }: PageOptions = {},
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    colorScheme: dark ? 'dark' : 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (!/^(?:(?:blob:)?http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) problems.push(request.url());
    });
    await page.goto(`${site.url}playground/${fragment}`);
    await use(page);
    expect(problems).toEqual([]);
  } finally {
    await context.close();
  }
}

/** Waits until the last check has ended. */
async function outcome(page: Page): Promise<string> {
  await page.waitForFunction(
    () => !document.body.classList.contains('working') && document.querySelector('#waiting')!.hasAttribute('hidden'),
    undefined,
    { timeout: 60_000 },
  );
  return (await page.textContent('#outcome'))!;
}

async function write(page: Page, text: string): Promise<string> {
  await enter(page, text);
  return outcome(page);
}

/** Chromium takes minutes to insert 100,000 lines as keys, so the text is set. */
function enter(page: Page, text: string): Promise<void> {
  return page.evaluate((given) => {
    const editor = document.querySelector('textarea')!;
    editor.value = given;
    editor.dispatchEvent(new Event('input'));
  }, text);
}

async function saved(page: Page, format: 'json' | 'html'): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#save-${format}`)]);
  return readFileSync(await download.path(), 'utf8');
}

/** Drops files on the page, as a file manager does. */
async function drop(page: Page, files: ReadonlyArray<readonly [name: string, text: string]>): Promise<void> {
  const transfer = await page.evaluateHandle((given) => {
    const data = new DataTransfer();
    for (const [name, text] of given) data.items.add(new File([text], name));
    return data;
  }, files);
  await page.dispatchEvent('#editor', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('#editor', 'drop', { dataTransfer: transfer });
}

function example(name: string): string {
  return readFileSync(join(ROOT, 'browser/playground/examples', `${name}.yaml`), 'utf8');
}

describe('the page', () => {
  test('has less than 1.5 MB as a static host compresses it', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const sizes = files.map((file) =>
      file.endsWith('.gz') ? statSync(file).size : gzipSync(readFileSync(file), { level: 6 }).length,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
  });

  test('shows the first verdict within two seconds with an empty cache', async () => {
    const seconds: number[] = [];
    // A busy machine slows some loads down, nothing speeds one up.
    for (let attempt = 0; attempt < 5 && Math.min(...seconds) >= MAX_SECONDS; attempt++) {
      await withPage(async (page) => {
        await page.waitForSelector('#outcome.good');
        seconds.push((await page.evaluate(() => performance.now())) / 1000);
      });
    }
    expect(Math.min(...seconds)).toBeLessThan(MAX_SECONDS);
  });

  test('asks only its own host for files, and only for data of the region', async () => {
    site.paths.length = 0;
    await withPage(async (page) => {
      await outcome(page);
    });
    expect(site.paths.filter((path) => path.includes('regions/')).map((path) => path.split('regions/')[1])).toEqual([
      'us-east-1.json.gz',
    ]);
  });

  test('names the licences of the packages whose code it has', () => {
    const [assets] = readdirSync(join(folder, 'playground')).filter((name) => name !== 'index.html');
    const licences = readFileSync(join(folder, 'playground', assets, 'licences.txt'), 'utf8');
    for (const text of ['assemblyscript', 'echarts', 'yaml', 'zrender', 'Apache License'])
      expect(licences).toMatch(new RegExp(`^ *${text}\\b`, 'm'));
  });

  test.each([390, 768, 1280, 1920])('has no horizontal scroll bar at %i px, on either side', (width) =>
    withPage(
      async (page) => {
        await outcome(page);
        for (const view of ['manifests', 'verdict']) {
          if (width < 800) await page.click(`[data-view=${view}]`);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        }
        expect(await page.frames()[1].evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      },
      { width, fragment: '#example=large-pod' },
    ),
  );

  test.each([
    ['light', 1280, false],
    ['dark', 1280, true],
    ['light', 390, false],
  ] as const)('has no serious problem of accessibility in the %s theme at %i px', (_, width, dark) =>
    withPage(
      async (page) => {
        await outcome(page);
        const session = await page.context().newCDPSession(page);
        await session.send('Runtime.evaluate', { expression: AXE });
        const { result } = await session.send('Runtime.evaluate', {
          expression:
            'axe.run(document, { resultTypes: ["violations"], iframes: false }).then(({ violations }) => JSON.stringify(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200), nodes[0].failureSummary])))',
          awaitPromise: true,
        });
        expect(JSON.parse(result.value as string)).toEqual([]);
      },
      { dark, width, fragment: '#example=bad-yaml' },
    ),
  );

  test('is dark if the site is', () =>
    withPage(async (page) => {
      await page.evaluate(() => localStorage.setItem('vitepress-theme-appearance', 'dark'));
      await page.reload();
      await outcome(page);
      await page.waitForFunction(
        () => document.querySelector('iframe')!.contentDocument?.documentElement.dataset.theme === 'dark',
      );
      expect(await page.evaluate(() => getComputedStyle(document.body).colorScheme)).toBe('dark');
    }));
});

describe('privacy', () => {
  test('neither the page, nor its worker, nor the report can connect to another host', async () => {
    const other = await StaticSite.serve(folder);
    try {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${site.url}playground/`);
      await outcome(page);
      const connect = (url: string): Promise<string> =>
        fetch(url, { mode: 'no-cors' }).then(
          () => 'connected',
          () => 'refused',
        );
      expect(await page.evaluate(connect, other.url)).toBe('refused');
      expect(await page.workers()[0].evaluate(connect, other.url)).toBe('refused');
      expect(await page.frames()[1].evaluate(connect, other.url)).toBe('refused');
      expect(other.paths).toEqual([]);
      await context.close();
    } finally {
      await other.close();
    }
  });

  test('names with markup stay text', () =>
    withPage(async (page) => {
      const attack = '<img src=x onerror="parent.attacked = true"><script>parent.attacked = true</script>';
      await write(page, example('quickstart').replaceAll('name: web', `name: ${JSON.stringify(`web${attack}`)}`));
      await drop(page, [[`${attack}.yaml`, 'kind: [']]);
      await outcome(page);
      expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
      expect(await page.locator('img').count()).toBe(0);
    }));
});

describe('the verdict', () => {
  const inputs = inputFiles();

  test('is that of the command line, byte for byte, for 50 inputs and more', () => {
    expect(inputs.length).toBeGreaterThanOrEqual(50);
    return withPage(async (page) => {
      await outcome(page);
      const different: string[] = [];
      for (const file of inputs) {
        const text = readFileSync(file, 'utf8');
        await write(page, text);
        if ((await saved(page, 'json')) !== (await checkOutput(file, ['--format', 'json'])))
          different.push(relative(ROOT, file));
      }
      expect(different).toEqual([]);
    });
  }, 1_200_000);

  test('is that of the command line for a region and a version', () =>
    withPage(
      async (page) => {
        await outcome(page);
        await page.selectOption('#region', 'eu-central-1');
        await outcome(page);
        await page.selectOption('#version', '1.8');
        await outcome(page);
        expect(await saved(page, 'json')).toBe(
          await checkOutput(join(ROOT, 'browser/playground/examples/spot-only.yaml'), [
            '--format',
            'json',
            '--region',
            'eu-central-1',
            '--karpenter-version',
            '1.8',
          ]),
        );
      },
      { fragment: '#example=spot-only' },
    ));

  test('is saved as the HTML report of the command line', () =>
    withPage(
      async (page) => {
        await outcome(page);
        expect(await saved(page, 'html')).toBe(
          await checkOutput(join(ROOT, 'browser/playground/examples/large-pod.yaml'), ['--format', 'html']),
        );
      },
      { fragment: '#example=large-pod' },
    ));

  test('follows links within the report', () =>
    withPage(async (page) => {
      await outcome(page);
      const report = page.frames()[1];
      await report.click('.top a[href="#assumptions"]');
      await page.waitForFunction(() => document.querySelector('iframe')!.contentWindow!.scrollY > 0);
    }));
});

/** The examples of the playground and of the documentation, and every fourth example of a rule. */
function inputFiles(): string[] {
  const yamlFiles = (name: string) =>
    readdirSync(join(ROOT, name), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && file.name.endsWith('.yaml'))
      .map(({ parentPath, name: file }) => join(parentPath, file))
      .sort();
  const rules = yamlFiles('examples/rules').filter((_, index) => index % 4 === 0);
  return [
    ...yamlFiles('browser/playground/examples'),
    ...yamlFiles('examples/explain'),
    ...yamlFiles('examples/resilient-web'),
    ...rules,
  ];
}

describe('manifests', () => {
  test('that are dropped get a tab each, and are judged together', () =>
    withPage(async (page) => {
      await outcome(page);
      await page.fill('#editor', '');
      const documents = example('blocked-pdb').split('---\n');
      await drop(page, [
        ['nodes.yaml', documents.slice(0, 2).join('---\n')],
        ['web.yaml', documents.slice(2).join('---\n')],
      ]);
      await page.waitForFunction(() => document.querySelectorAll('.tab').length === 2);
      expect(await outcome(page)).toContain('3 pods fit');
      expect(await page.locator('#problems li').first().textContent()).toMatch(/error (?:nodes|web)\.yaml:\d+:\d+/);
      await page.locator('#problems li button', { hasText: 'web.yaml' }).first().click();
      expect(await page.getAttribute('#editor', 'aria-label')).toBe('web.yaml');
    }));

  test('that cannot be read have their place listed, and a click selects it', () =>
    withPage(
      async (page) => {
        await outcome(page);
        const first = page.locator('#problems li button').first();
        expect(await first.textContent()).toContain('error 30:84 invalid YAML');
        await first.focus();
        await page.keyboard.press('Enter');
        const before = await page.evaluate(() => {
          const area = document.querySelector('textarea')!;
          return area.value.slice(0, area.selectionStart);
        });
        expect(before.split('\n').length).toBe(30);
        expect(await page.evaluate(() => document.activeElement!.id)).toBe('editor');
        expect(await page.locator('#marks .error').count()).toBe(2);
      },
      { fragment: '#example=bad-yaml' },
    ));

  test('are the same behind a link', () =>
    withPage(async (page) => {
      await outcome(page);
      await page.selectOption('#region', 'eu-west-1');
      await write(page, `# größer\n${example('spot-only')}`);
      await page.click('#link');
      await page.waitForFunction(() => location.hash.startsWith('#m='));
      const { hash, copied } = await page.evaluate(async () => ({
        hash: location.hash,
        copied: await navigator.clipboard.readText(),
      }));
      expect(copied).toBe(`${site.url}playground/${hash}`);
      const json = await saved(page, 'json');
      await withPage(
        async (opened) => {
          await outcome(opened);
          expect(await opened.inputValue('#editor')).toBe(`# größer\n${example('spot-only')}`);
          expect(await opened.inputValue('#region')).toBe('eu-west-1');
          expect(await saved(opened, 'json')).toBe(json);
        },
        { fragment: hash },
      );
    }));

  test('that change while a check runs do not get its verdict', () =>
    withPage(async (page) => {
      await outcome(page);
      const region = page.locator('#region');
      // Both within one task, so that the answer for the region arrives before the check of the text begins.
      await region.evaluate((select: HTMLSelectElement, text) => {
        select.value = 'eu-west-1';
        select.dispatchEvent(new Event('change'));
        const editor = document.querySelector('textarea')!;
        editor.value = text;
        editor.dispatchEvent(new Event('input'));
      }, example('spot-only'));
      const { summary } = JSON.parse(await saved(page, 'json')) as { summary: { pods: number } };
      expect(summary.pods).toBe(1);
    }));

  test('that are replaced while their check runs do not show its verdict', () =>
    withPage(async (page) => {
      await outcome(page);
      // Both within one task, so that the check of the first waits in the worker when the second is asked for.
      await page.locator('#example').evaluate((select: HTMLSelectElement) => {
        for (const name of ['spot-only', 'large-pod']) {
          select.value = name;
          select.dispatchEvent(new Event('change'));
        }
      });
      const { summary } = JSON.parse(await saved(page, 'json')) as { summary: { pods: number } };
      expect(summary.pods).toBe(2);
    }));

  test.each(['#m=', '#m=AAAA', '#m=%%%', '#example=none'])('are an example if the link is %s', (fragment) =>
    withPage(
      async (page) => {
        expect(await outcome(page)).toContain('All 3 pods fit');
        if (fragment.startsWith('#m')) expect(await page.textContent('#note')).toContain('This link is damaged');
      },
      { fragment },
    ),
  );

  test('stay if the page is loaded again', () =>
    withPage(async (page) => {
      await outcome(page);
      await write(page, example('large-pod'));
      await page.reload();
      expect(await outcome(page)).toContain('None of the 2 pods fits');
    }));

  test('over 1 MB are not checked, with a sentence that says so', () =>
    withPage(async (page) => {
      await outcome(page);
      await enter(page, `# ${'x'.repeat(1_000_000)}`);
      await page.waitForSelector('#failure:not([hidden])');
      expect(await page.textContent('#failure')).toContain('this page checks at most 1 MB');
      expect(await page.isDisabled('#save-json')).toBe(true);
    }));

  test('over 50 files are not checked, with a sentence that says so', () =>
    withPage(async (page) => {
      await outcome(page);
      const numbered = (count: number) =>
        Array.from(
          { length: count },
          (_, index) => [`${index}.yaml`, example('quickstart').replaceAll('name: web', `name: web${index}`)] as const,
        );
      await drop(page, numbered(51));
      await page.waitForFunction(() =>
        document
          .querySelector('#note')!
          .textContent!.startsWith('These are 51 files, and this page checks at most 50.'),
      );
      expect(await outcome(page)).toContain('All 3 pods fit');
      await drop(page, numbered(50));
      await page.waitForSelector('#failure:not([hidden])');
      expect(await page.textContent('#failure')).toContain('These are 51 files');
    }));

  test('that are removed leave a hint', () =>
    withPage(async (page) => {
      await outcome(page);
      await page.fill('#editor', ' ');
      await page.waitForFunction(() => document.querySelector('#outcome')!.textContent!.startsWith('Paste manifests'));
    }));
});

describe('hostile manifests', () => {
  const aliases = `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`).join('\n')}`;
  const inputs: ReadonlyArray<readonly [string, string]> = [
    ['aliases that grow without bound', aliases],
    ['brackets nested 100,000 deep', '['.repeat(100_000)],
    ['mappings nested 20,000 deep', 'a: {'.repeat(20_000)],
    ['a billion replicas', example('quickstart').replace('replicas: 3', 'replicas: 1000000000')],
    ['a line of 500,000 characters', `a: ${'"\\'.repeat(250_000)}`],
    ['100,000 documents', '---\n'.repeat(100_000)],
    [
      '9,000 pods',
      example('quickstart') +
        Array.from(
          { length: 9000 },
          (_, i) => `---\napiVersion: v1\nkind: Pod\nmetadata: { name: p${i} }\nspec: { containers: [{ name: a }] }\n`,
        ).join(''),
    ],
  ];

  test.each(inputs)('with %s leave the page usable', (_, text) =>
    withPage(async (page) => {
      await outcome(page);
      await enter(page, text);
      const start = Date.now();
      expect(await page.evaluate(() => 1)).toBe(1);
      expect(Date.now() - start).toBeLessThan(5000);
      await outcome(page);
      expect(await write(page, example('quickstart'))).toContain('All 3 pods fit');
    }),
  );

  test('are stopped if newer ones are typed', () =>
    withPage(async (page) => {
      await outcome(page);
      const stopped = page.workers()[0].waitForEvent('close');
      await enter(page, inputs[6][1]);
      await page.waitForTimeout(500);
      expect(await write(page, example('large-pod'))).toContain('None of the 2 pods fits');
      await stopped;
    }));
});
