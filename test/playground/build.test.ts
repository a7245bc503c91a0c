import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPlayground } from '../../tools/build/build-playground';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playground-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the engine imports only modules of Node.js that the playground replaces', async () => {
  await buildPlayground(folder);
  expect(readdirSync(folder)).toContain('index.html');
});
