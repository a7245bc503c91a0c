import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledOnly, Sbom } from '../../../tools/build/sbom';

const ROOT = join(__dirname, '../../..');
const LINE = '-'.repeat(80);
const SBOM = {
  metadata: { component: { 'bom-ref': 'us@1.0.0', name: 'a-folder', purl: 'pkg:npm/us@1.0.0' } },
  components: ['@scope/a@1.0.0', 'b@2.0.0'].map((ref) => ({
    'bom-ref': ref,
    name: ref,
    version: '',
    purl: `pkg:npm/${ref.replace(/^@/, '%40')}`,
    scope: 'optional',
    properties: [],
  })),
  dependencies: [],
};

test('the SBOM keeps the packages that NOTICE names, as required', () => {
  const { components, dependencies, metadata } = bundledOnly(SBOM, `us\n\n${LINE}\n@scope/a 1.0.0 (MIT)\n\ntext\n`);
  expect(components.map(({ purl, scope }) => [purl, scope])).toEqual([['pkg:npm/%40scope/a@1.0.0', 'required']]);
  expect(metadata.component.name).toBe('us');
  expect(dependencies).toEqual([{ ref: 'us@1.0.0', dependsOn: ['@scope/a@1.0.0'] }]);
});

test('the SBOM is refused if NOTICE names a package in another version than the lock file', () => {
  expect(() => bundledOnly(SBOM, `${LINE}\nb 2.0.1 (MIT)\n`)).toThrow(
    'NOTICE names b 2.0.1, which package-lock.json does not contain',
  );
});

test('the lock file contains every package that NOTICE names', () => {
  const text = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const { components } = bundledOnly(JSON.parse(text) as Sbom, readFileSync(join(ROOT, 'NOTICE'), 'utf8'));
  expect(components.length).toBeGreaterThan(10);
});
