import Table from 'cli-table3';
import { Umpire } from './agreement';
import { ConsolidationRace, summaryOf } from './consolidation';
import { DIVERSE, Mix, MIXES, REALISTIC } from './mixes';
import { FAKE_TYPES, Race, race } from './race';
import { Versions } from '../conformance/oracle-process';
import { ScheduleOracle } from '../conformance/schedule/oracle';

export interface RaceOptions {
  /** Runs without Karpenter. */
  readonly isAlone: boolean;
  /** Gives Karpenter at most 1,000 pods. */
  readonly isQuick: boolean;
}

interface Heat {
  readonly mix: Mix;
  readonly pods: number;
  readonly isFake: boolean;
  /** Rounds of Karpenter; 0 if one would take too long. */
  readonly rounds: number;
}

/**
 * Every mix on Karpenter's benchmark types and on the catalogue: 1,000 pods against Karpenter, and larger numbers that
 * show how the time grows. Karpenter's 10,000 pods come last, because they take as many minutes as everything else
 * together.
 */
function heats({ isAlone, isQuick }: RaceOptions): Heat[] {
  const against = (rounds: number) => (isAlone ? 0 : rounds);
  return [
    ...[true, false].flatMap((isFake) =>
      MIXES.map((mix) => ({ mix, pods: 1000, isFake, rounds: against(mix === DIVERSE && isFake ? 3 : 1) })),
    ),
    ...MIXES.flatMap((mix) => [true, false].map((isFake) => ({ mix, pods: 10_000, isFake, rounds: 0 }))).filter(
      ({ mix, isFake }) => mix !== DIVERSE || !isFake,
    ),
    ...[true, false].map((isFake) => ({ mix: DIVERSE, pods: 100_000, isFake, rounds: 0 })),
    { mix: REALISTIC, pods: 100_000, isFake: false, rounds: 0 },
    { mix: DIVERSE, pods: 10_000, isFake: true, rounds: isQuick ? 0 : against(1) },
  ];
}

/** Calls `progress` after each race. */
export async function races(
  options: RaceOptions,
  progress: (line: string) => void,
): Promise<{ ran: Race[]; versions: Versions }> {
  const oracle = options.isAlone ? undefined : await ScheduleOracle.start();
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
  const theirs =
    karpenter === undefined
      ? ''
      : `; Karpenter ${karpenter.median} ms, ${ratio} times that; decides the same: ${karpenter.agrees}`;
  return `${mix}, ${pods} pods, ${types} instance types: ${solve.median} ms, ${mebibytes(kernelBytes)} MiB${theirs}`;
}

/** What the last line also has, besides the races. */
interface OtherFigures {
  readonly loading: readonly object[];
  readonly scenarios: readonly object[];
  readonly consolidation: readonly ConsolidationRace[];
}

/** Prints the table, then all figures as one line of JSON. */
export function printRaces(
  ran: readonly Race[],
  versions: Versions,
  measurements: readonly object[],
  { loading, scenarios, consolidation }: OtherFigures,
): void {
  const table = new Table({
    head: [
      'mix',
      'types',
      'pods',
      'classes',
      'nodes',
      'tries',
      'MiB',
      'solve ms',
      'plan ms',
      'Karpenter ms',
      'times faster',
      'decides the same',
    ],
    style: { head: [], border: [] },
  });
  for (const { mix, types, pods, classes, nodes, tries, kernelBytes, solve, plan, karpenter, ratio } of ran) {
    table.push([
      mix,
      types,
      pods,
      classes,
      nodes,
      tries,
      mebibytes(kernelBytes),
      solve.median,
      plan.median,
      karpenter?.median ?? '',
      ratio ?? '',
      karpenter?.agrees ?? '',
    ]);
  }
  console.log(table.toString());
  const fake = diverse(ran, (types) => types === FAKE_TYPES);
  const catalogue = diverse(ran, (types) => types !== FAKE_TYPES);
  console.log(
    JSON.stringify({
      node: process.version,
      versions,
      diverse: { ratio1k: ratioOf(fake, 1000), ratio10k: ratioOf(fake, 10_000), exponent: exponent(fake) },
      catalogue: { ratio1k: ratioOf(catalogue, 1000), exponent: exponent(catalogue) },
      races: ran,
      measurements,
      loading,
      scenarios,
      consolidation: summaryOf(consolidation),
    }),
  );
}

function mebibytes(bytes: number): number {
  return Math.round((bytes / 2 ** 20) * 10) / 10;
}

/** The races of Karpenter's diverse mix, fewest pods first. */
function diverse(ran: readonly Race[], hasTypes: (types: number) => boolean): Race[] {
  return ran
    .filter(({ mix, types }) => mix === DIVERSE.name && hasTypes(types))
    .sort((left, right) => left.pods - right.pods);
}

function ratioOf(sizes: readonly Race[], wanted: number): number | null {
  return sizes.find(({ pods }) => pods === wanted)?.ratio ?? null;
}

/** How the time grows with the pods: the slope between the smallest and the largest run, on logarithmic scales. */
function exponent(sizes: readonly Race[]): number {
  const [first, last] = [sizes[0], sizes[sizes.length - 1]];
  return (
    Math.round((Math.log(last.solve.median / first.solve.median) / Math.log(last.pods / first.pods)) * 1000) / 1000
  );
}
