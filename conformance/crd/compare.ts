import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { countAgreement, countDifference, figureLines, emptyFigures, ReleaseFigures } from './figures';
import { mutants } from './mutate';
import { ObjectOracle, OracleVerdict } from './oracle';
import { INTENDED_DIFFERENCES, ourVerdict, OurVerdict } from './verdicts';
import { corpus, KubernetesObject } from '../../test/support/api-objects/corpus';
import type { PartSummary, RunOptions } from '../options';
import { NEWEST, Release, RELEASES } from '../versions/releases';

const MUTANTS = 5000;
const MAX_DETAIL_LENGTH = 200;

export interface CrdFigures extends PartSummary {
  readonly objects: number;
  readonly onPurpose: number;
  readonly releases: readonly ReleaseFigures[];
}

/** Compares the verdicts on the corpus, and on objects mutated from its accepted ones, for each release. */
export async function compareObjects(options: RunOptions, print: (line: string) => void): Promise<CrdFigures> {
  const releases = chosen(options.releases).map((release) => compareRelease(release, options, print));
  const sum = (figure: (release: ReleaseFigures) => number) =>
    releases.reduce((total, release) => total + figure(release), 0);
  return {
    objects: sum((release) => release.corpus + release.mutants),
    agree: sum((release) => release.agree),
    different: sum((release) => release.different),
    onPurpose: sum((release) => Object.values(release.onPurpose).reduce((a, b) => a + b, 0)),
    releases,
  };
}

function chosen(wanted: RunOptions['releases']): readonly Release[] {
  return (
    wanted?.map((name) => {
      const release = name === 'newest' ? NEWEST : RELEASES.find(({ provider }) => provider === name);
      if (!release)
        throw new Error(
          `--releases: unknown release "${name}"; write newest or one of ${RELEASES.map(({ provider }) => provider).join(', ')}`,
        );
      return release;
    }) ?? RELEASES
  );
}

function compareRelease(
  release: Release,
  { seed, count = MUTANTS, keep }: RunOptions,
  print: (line: string) => void,
): ReleaseFigures {
  const oracle = ObjectOracle.of(release);
  const cases = corpus(release.provider);
  const corpusVerdicts = oracle.judge(cases.map(({ object }) => object));
  const mutated = mutants(
    seed,
    count,
    release.provider,
    cases.filter((_, i) => corpusVerdicts[i].accepted).map(({ object }) => object),
    cases,
  );
  const all = [...cases, ...mutated.map((object, i) => ({ name: `mutant ${i} of seed ${seed}`, object }))];
  const verdicts = [...corpusVerdicts, ...oracle.judge(mutated)];
  const figures = emptyFigures(release.provider, cases.length, mutated.length);
  all.forEach(({ name, object }, i) => {
    const difference = compareObject(figures, object, verdicts[i]);
    if (!difference) return;
    print(describe(release.provider, name, verdicts[i], difference));
    if (keep === undefined) return;
    write(join(keep, `crd-${release.provider}-${figures.different}.json`), {
      name,
      release: release.provider,
      object,
      oracle: verdicts[i],
      ours: difference,
    });
  });
  figureLines(figures).forEach(print);
  return figures;
}

/** Returns our verdict if it differs without an intended reason. */
function compareObject(
  figures: ReleaseFigures,
  object: KubernetesObject,
  oracle: OracleVerdict,
): OurVerdict | undefined {
  const ours = ourVerdict(object, figures.release);
  if (ours.accepted === oracle.accepted && ours.crash === undefined) {
    countAgreement(figures, oracle, ours);
    return undefined;
  }
  const reason = INTENDED_DIFFERENCES.find((difference) => difference.applies(object, figures.release))?.name;
  countDifference(figures, oracle, reason);
  return reason === undefined ? ours : undefined;
}

function describe(release: string, name: string, oracle: OracleVerdict, ours: OurVerdict): string {
  const [error] = oracle.errors;
  const theirs = oracle.accepted
    ? 'accepts'
    : `rejects ${error.field} (${error.class}: ${error.detail.slice(0, MAX_DETAIL_LENGTH)})`;
  return `different: ${release}: ${name}: Karpenter ${theirs}, we ${describeOurs(ours)}`;
}

function describeOurs({ accepted, refusals: [first], crash }: OurVerdict): string {
  if (crash !== undefined) return `crash (${crash})`;
  if (accepted) return 'accept';
  return first ? `reject ${first.path.join('.')} (${first.rule}: ${first.problem})` : 'do not know the kind';
}

function write(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}
