/**
 * Runs programs that write to the console.
 *
 * @jest-environment node
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAsUser } from './run-as-user';

const PAGE = readFileSync(join(__dirname, '../../docs/assertions.md'), 'utf8');
const [PROGRAM] = [...PAGE.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
const HARDENED = 'web.with(new workloads.Resilience({ nodePool }));\n';

test('docs/assertions.md: all assertions pass', () => {
  expect(PROGRAM.match(/^karpenter\./gm)).toHaveLength(9);
  expect(() => runAsUser(PROGRAM)).not.toThrow();
});

test('docs/assertions.md: without the Resilience line, keepsReady fails with exactly the message on the page', () => {
  const [, message] = /throws an error with this message:\n\n```text\n(.*?)```/s.exec(PAGE) ?? [];
  const [before] = PROGRAM.split('karpenter.hasAllPodsScheduled();');
  expect(before).toContain(HARDENED);
  expect(() =>
    runAsUser(`${before.replace(HARDENED, '')}karpenter.keepsReady('web', 1, assertions.Scenario.DRIFT);`),
  ).toThrow(message.trim());
});
