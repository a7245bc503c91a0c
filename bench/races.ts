import Table from 'cli-table3';
import { DIVERSE, Mix, MIXES } from './mixes';
import { FAKE_TYPES, Race, race } from './race';
import { Oracle, Versions } from '../conformance/schedule/oracle';

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

/** Karpenter's own mix at three sizes, on its own types and on the catalogue; the other mixes at a thousand pods. */
function heats({ isAlone, isQuick }: RaceOptions): Heat[] {
  const rounds = (wanted: number, pods: number) => isAlone || (isQuick && pods > 1000) ? 0 : wanted;
  return [
    ...[1000, 10_000, 100_000].map((pods) => ({ mix: DIVERSE, pods, isFake: true, rounds: rounds(pods > 10_000 ? 0 : pods > 1000 ? 1 : 3, pods) })),
    ...[1000, 10_000, 100_000].map((pods) => ({ mix: DIVERSE, pods, isFake: false, rounds: rounds(pods > 1000 ? 0 : 1, pods) })),
    ...MIXES.filter((mix) => mix !== DIVERSE).map((mix) => ({ mix, pods: 1000, isFake: true, rounds: rounds(1, 1000) })),
    { mix: MIXES.find(({ name }) => name === 'realistic')!, pods: 100_000, isFake: false, rounds: 0 },
  ];
}

/** Tells `progress` of each. */
export async function races(options: RaceOptions, progress: (line: string) => void): Promise<{ ran: Race[]; versions: Versions }> {
  const oracle = options.isAlone ? undefined : await Oracle.start();
  const ran: Race[] = [];
  for (const { mix, pods, isFake, rounds } of heats(options)) {
    progress(`${mix.name}, ${pods} pods, ${isFake ? FAKE_TYPES : 'all'} instance types${rounds > 0 ? ', against Karpenter' : ''}`);
    const one = await race(mix, pods, isFake, rounds > 0 ? oracle : undefined, rounds);
    progress(`  ours ${one.solve.median} ms${one.karpenter === undefined ? '' : `, Karpenter ${one.karpenter.median} ms`}`);
    ran.push(one);
  }
  oracle?.stop();
  return { ran, versions: oracle?.versions ?? {} };
}

/** The table, and the last line: everything in JSON. */
export function printRaces(ran: readonly Race[], versions: Versions, measurements: readonly object[]): void {
  const table = new Table({
    head: ['mix', 'types', 'pods', 'classes', 'nodes', 'tries', 'MiB', 'solve ms', 'plan ms', 'Karpenter ms', 'times faster', 'same node sizes'],
    style: { head: [], border: [] },
  });
  for (const { mix, types, pods, classes, nodes, tries, kernelBytes, solve, plan, karpenter, ratio } of ran) {
    table.push([
      mix, types, pods, classes, nodes, tries, Math.round(kernelBytes / 2 ** 20 * 10) / 10, solve.median, plan.median,
      karpenter?.median ?? '', ratio ?? '', karpenter === undefined ? '' : karpenter.sameSizes ? 'yes' : 'no',
    ]);
  }
  console.log(table.toString());
  const diverse = (types: (count: number) => boolean) => ran.filter((one) => one.mix === DIVERSE.name && types(one.types));
  const fake = diverse((count) => count === FAKE_TYPES);
  console.log(JSON.stringify({
    node: process.version,
    versions,
    diverse: { ratio1k: fake[0].ratio ?? null, ratio10k: fake[1].ratio ?? null, exponent: exponent(fake) },
    catalogue: { exponent: exponent(diverse((count) => count !== FAKE_TYPES)), ratio1k: diverse((count) => count !== FAKE_TYPES)[0].ratio ?? null },
    races: ran,
    measurements,
  }));
}

/** How the time grows with the pods: the slope between the smallest and the largest, both logarithmic. */
function exponent(sizes: readonly Race[]): number {
  const [first, last] = [sizes[0], sizes[sizes.length - 1]];
  return Math.round(Math.log(last.solve.median / first.solve.median) / Math.log(last.pods / first.pods) * 1000) / 1000;
}
