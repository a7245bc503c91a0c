import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Programs } from './programs';
import { manifestsOf, RealFleet } from '../../test/support/real-fleets/fleets';
import { settings, TIMES } from '../../test/support/real-fleets/prediction';

const CATALOGUE = join(__dirname, '../../data/instance-types.json');
/** A recording ends after this time even if the cluster still changes. */
const MOST_SECONDS = 600;
/** Nothing changes in the 34 seconds from the launch of a node until it is ready. */
const CALM_SECONDS = 42;

function inputOf(fleet: RealFleet): object {
  const { interval = 0, steps = [], nodeDelay = TIMES.nodeDelay, calm = CALM_SECONDS } = fleet;
  return {
    manifests: manifestsOf(fleet),
    settings,
    intervalSeconds: interval,
    steps,
    nodeDelaySeconds: nodeDelay,
    nodeReadySeconds: TIMES.nodeReady,
    podReadySeconds: TIMES.podReady,
    podEndSeconds: TIMES.podEnd,
    seconds: MOST_SECONDS,
    calmSeconds: calm,
  };
}

/**
 * Runs the fleet on a new control plane, and returns the lines of its recording.
 *
 * @param slot number of the control plane among those that run at the same time, which decides its ports
 */
export async function recordFleet(fleet: RealFleet, { folder, crds }: Programs, slot: number): Promise<object[]> {
  const work = mkdtempSync(join(tmpdir(), 'karpenter-cluster-'));
  const port = 20_000 + 10 * slot;
  const args = ['-programs', folder, '-crds', crds, '-catalogue', CATALOGUE, '-work', work, '-port', String(port)];
  const recorder = spawn(join(folder, 'record'), args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = new Promise<number | null>((resolve) => recorder.on('close', resolve));
  recorder.stdin.end(JSON.stringify(inputOf(fleet)));
  const lines: object[] = [];
  for await (const line of createInterface({ input: recorder.stdout })) lines.push(JSON.parse(line) as object);
  const code = await exit;
  if (code !== 0) throw new Error(`${fleet.name} was not recorded; the logs are in ${work}`);
  rmSync(work, { recursive: true, force: true });
  return lines;
}
