import Table from 'cli-table3';
import { Umpire } from './agreement';
import { ConsolidationRace, summaryOf } from './consolidation';
import { DIVERSE, Mix, MIXES, REALISTIC } from './mixes';
import { FAKE_TYPES, Race, race } from './race';
import { Versions } from '../conformance/oracle-process';
import { Oracle } from '../conformance/schedule/oracle';

export interface RaceOptions {
  /** Karpenter does not run. */
  readonly isAlone: boolean;
  /** Karpenter runs no more than a thousand pods. */
  readonly isQuick: boolean;
}

interface Heat {
  readonly mix: Mix;
  readonly pods: number;
  readonly isFake: boolean;
  /** Of Karpenter; 0 where it would take too long to wait for. */
  readonly rounds: number;
}

/**
 * Every mix on Karpenter's own types and on the catalogue, a thousand pods against Karpenter, and as many as show how the time grows.
 * Karpenter's ten thousand come last: they take it as many minutes as all the rest together.
 */
function heats({ isAlone, isQuick }: RaceOptions): Heat[] {
  const against = (rounds: number) => isAlone ? 0 : rounds;
  return [
    ...[true, false].flatMap((isFake) => MIXES.map((mix) => ({ mix, pods: 1000, isFake, rounds: against(mix === DIVERSE && isFake ? 3 : 1) }))),
    ...MIXES.flatMap((mix) => [true, false].map((isFake) => ({ mix, pods: 10_000, isFake, rounds: 0 })))
      .filter(({ mix, isFake }) => mix !== DIVERSE || !isFake),
    ...[true, false].map((isFake) => ({ mix: DIVERSE, pods: 100_000, isFake, rounds: 0 })),
    { mix: REALISTIC, pods: 100_000, isFake: false, rounds: 0 },
    { mix: DIVERSE, pods: 10_000, isFake: true, rounds: isQuick ? 0 : against(1) },
  ];
}

/** Tells `progress` of each as soon as it has run. */
export async function races(options: RaceOptions, progress: (line: string) => void): Promise<{ ran: Race[]; versions: Versions }> {
  const oracle = options.isAlone ? undefined : await Oracle.start();
  const umpire = new Umpire();
  const ran: Race[] = [];
  for (const { mix, pods, isFake, rounds } of heats(options)) {
    const one = await race(mix, pods, isFake, oracle && rounds > 0 ? { oracle, umpire, rounds } : undefined);
    progress(lineOf(one));
    ran.push(one);
  }
  await umpire.stop();
  oracle?.stop();
  return { ran, versions: oracle?.versions ?? {} };
}

function lineOf({ mix, types, pods, solve, kernelBytes, karpenter, ratio }: Race): string {
  const theirs = karpenter === undefined ? '' : `; Karpenter ${karpenter.median} ms, ${ratio} times that; decides the same: ${karpenter.agrees}`;
  return `${mix}, ${pods} pods, ${types} instance types: ${solve.median} ms, ${mebibytes(kernelBytes)} MiB${theirs}`;
}

/** The table, and the last line: everything in JSON. */
export function printRaces(
  ran: readonly Race[], versions: Versions, measurements: readonly object[],
  { scenarios, consolidation }: { readonly scenarios: readonly object[]; readonly consolidation: readonly ConsolidationRace[] },
): void {
  const table = new Table({
    head: ['mix', 'types', 'pods', 'classes', 'nodes', 'tries', 'MiB', 'solve ms', 'plan ms', 'Karpenter ms', 'times faster', 'decides the same'],
    style: { head: [], border: [] },
  });
  for (const { mix, types, pods, classes, nodes, tries, kernelBytes, solve, plan, karpenter, ratio } of ran) {
    table.push([
      mix, types, pods, classes, nodes, tries, mebibytes(kernelBytes), solve.median, plan.median,
      karpenter?.median ?? '', ratio ?? '', karpenter?.agrees ?? '',
    ]);
  }
  console.log(table.toString());
  const fake = diverse(ran, (types) => types === FAKE_TYPES);
  const catalogue = diverse(ran, (types) => types !== FAKE_TYPES);
  console.log(JSON.stringify({
    node: process.version,
    versions,
    diverse: { ratio1k: ratioOf(fake, 1000), ratio10k: ratioOf(fake, 10_000), exponent: exponent(fake) },
    catalogue: { ratio1k: ratioOf(catalogue, 1000), exponent: exponent(catalogue) },
    races: ran,
    measurements,
    scenarios,
    consolidation: summaryOf(consolidation),
  }));
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20 * 10) / 10;
}

/** Of Karpenter's own mix, the fewest pods first. */
function diverse(ran: readonly Race[], hasTypes: (types: number) => boolean): Race[] {
  return ran.filter(({ mix, types }) => mix === DIVERSE.name && hasTypes(types)).sort((left, right) => left.pods - right.pods);
}

function ratioOf(sizes: readonly Race[], wanted: number): number | null {
  return sizes.find(({ pods }) => pods === wanted)?.ratio ?? null;
}

/** How the time grows with the pods: the slope between the smallest and the largest, both logarithmic. */
function exponent(sizes: readonly Race[]): number {
  const [first, last] = [sizes[0], sizes[sizes.length - 1]];
  return Math.round(Math.log(last.solve.median / first.solve.median) / Math.log(last.pods / first.pods) * 1000) / 1000;
}
