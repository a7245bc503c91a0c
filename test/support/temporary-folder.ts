import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a run of jest a temporary folder of its own, and deletes it when the run ends: each App of the CDK and of cdk8s
 * that a test synthesises writes its output there. The workers of jest inherit TMPDIR, which `os.tmpdir()` reads.
 */
export default function useTemporaryFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-constructs-test-'));
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
