import { nearestName } from '../../model';

/** That it does not hold, and the story of why. */
export function fail(what: string, story: string): never {
  throw new Error(`${what}\n\n${story.trimEnd()}\n`);
}

/** That nobody knows, where there is a reason. */
export function beTold(claim: string, reasons: readonly string[]): void {
  if (reasons.length > 0) throw new Error(`${claim}: cannot be evaluated:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}\n`);
}

export function checkCount(name: string, count: number, least: number): void {
  if (Number.isInteger(count) && count >= least) return;
  throw new Error(`${name}: must be a whole number from ${least}, got ${count}; write for example ${least + 1}`);
}

/** What is known may be called by other names too: then one of these is proposed as well. */
export function unknownName(name: string, got: string, known: readonly string[], shorter: readonly string[] = []): never {
  const likely = nearestName(got, [...known, ...shorter]);
  const some = known.slice(0, 5).join(', ');
  throw new Error(`${name}: there is none of this name, got ${JSON.stringify(got)}; `
    + (likely !== undefined ? `did you mean ${likely}?` : known.length === 0 ? 'the manifests have none at all' : `there is ${some}${known.length > 5 ? ` and ${known.length - 5} more` : ''}`));
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
