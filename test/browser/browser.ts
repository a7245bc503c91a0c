import { existsSync } from 'node:fs';
import { chromium, Browser } from 'playwright-core';

/** Where Debian and others install Chromium. */
const EXECUTABLES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? EXECUTABLES.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error('no Chromium found: install the package chromium, or name its path in CHROMIUM');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
