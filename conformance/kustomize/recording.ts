import { createHash } from 'node:crypto';
import { Answer } from './answer';
import { Scenario } from './scenario';

/** What kustomize has made of a generated scenario, without its objects. */
export interface Recording {
  readonly seed: number;
  readonly number: number;
  /** Of the files. It differs if the generator has changed. */
  readonly scenario: string;
  /** Of the objects. Absent if kustomize refuses. */
  readonly objects?: string;
}

export function scenarioHash({ files, folder }: Scenario): string {
  return hashOf([folder, files]);
}

/** Undefined if there are no objects. */
export function objectsHash({ objects }: Answer): string | undefined {
  return objects && hashOf(objects);
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(sortedJson(value)).digest('hex').slice(0, 16);
}

/** JSON with sorted keys, without null fields. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part !== 'object' || part === null || Array.isArray(part)
      ? part
      : Object.fromEntries(
          Object.entries(part)
            .filter(([, each]) => each !== null)
            .sort(([left], [right]) => (left < right ? -1 : 1)),
        ),
  );
}
