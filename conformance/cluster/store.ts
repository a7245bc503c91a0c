import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Recording } from '../../test/support/real-fleets/recording';
import { clusterPath, readRecordings, RECORDINGS } from '../../test/support/real-fleets/stored';

export interface StoredRecording {
  readonly fleet: string;
  readonly draw: number;
  readonly recording: Recording;
  /** The objects of the cluster before its scenario. */
  readonly dump?: readonly object[];
}

/** Replaces the stored recordings of the same fleets. */
export function saveRecordings(versions: object, recorded: readonly StoredRecording[]): void {
  const fleets: Record<string, readonly Recording[]> = { ...readRecordings().fleets };
  for (const name of new Set(recorded.map(({ fleet }) => fleet))) {
    const draws = recorded.filter(({ fleet }) => fleet === name).sort((a, b) => a.draw - b.draw);
    fleets[name] = draws.map(({ recording }) => recording);
    for (const { draw, dump } of draws) if (dump) saveCluster(clusterPath(name, draw), dump);
  }
  mkdirSync(join(RECORDINGS, '..'), { recursive: true });
  const lines = Object.entries(fleets).map(([name, draws]) => {
    const texts = draws.map((draw) => `    ${JSON.stringify(draw)}`);
    return `  ${JSON.stringify(name)}: [\n${texts.join(',\n')}\n  ]`;
  });
  writeFileSync(RECORDINGS, `{\n"versions": ${JSON.stringify(versions)},\n"fleets": {\n${lines.join(',\n')}\n}\n}\n`);
}

/** Fields that `check` does not read are left out, because they differ for every pod and do not compress. */
function saveCluster(path: string, dump: readonly object[]): void {
  writeFileSync(path, gzipSync(JSON.stringify(dump), { level: 9 }));
}
