import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Recording } from './recording';

const FOLDER = join(__dirname, '../../conformance/fixtures/cluster');
/** The recordings that `npm run conformance:cluster -- --record` writes. */
export const RECORDINGS = join(FOLDER, 'recordings.json');

export interface StoredRecordings {
  readonly versions: Readonly<Record<string, string>>;
  /** The draws of each fleet. */
  readonly fleets: Readonly<Record<string, readonly Recording[]>>;
}

export function readRecordings(): StoredRecordings {
  if (!existsSync(RECORDINGS)) return { versions: {}, fleets: {} };
  return JSON.parse(readFileSync(RECORDINGS, 'utf8')) as StoredRecordings;
}

/** The file with the objects of a cluster before its scenario. */
export const clusterPath = (fleet: string, draw: number): string => join(FOLDER, `${fleet}-${draw}.json.gz`);

export function readCluster(fleet: string, draw: number): readonly object[] {
  return JSON.parse(gunzipSync(readFileSync(clusterPath(fleet, draw))).toString()) as readonly object[];
}
