import { ON_PURPOSE } from './differences';
import type { OracleVerdict, RefusalClass } from './oracle';
import { firstClass, ourFirstClass, OurVerdict, REFUSAL_CLASSES } from './verdicts';

const COLUMNS: ReadonlyArray<RefusalClass | 'accepted'> = ['accepted', ...REFUSAL_CLASSES];

/** The objects that the oracle accepts, or that one class of rules is the first to refuse. */
interface Row {
  objects: number;
  agree: number;
  /** Of those that agree, where we too have it that this class is the first. */
  sameClass: number;
}

/** What became of the objects of one release. */
export interface ReleaseFigures {
  readonly release: string;
  readonly corpus: number;
  readonly mutants: number;
  agree: number;
  different: number;
  /** How many differ for each of the reasons that there are. */
  readonly onPurpose: Record<string, number>;
  readonly classes: Readonly<Record<string, Row>>;
}

export function noFigures(release: string, corpus: number, mutants: number): ReleaseFigures {
  const classes = Object.fromEntries(COLUMNS.map((column) => [column, { objects: 0, agree: 0, sameClass: 0 }]));
  return { release, corpus, mutants, agree: 0, different: 0, onPurpose: {}, classes };
}

export function countAgreement(figures: ReleaseFigures, oracle: OracleVerdict, ours: OurVerdict): void {
  const row = figures.classes[firstClass(oracle)];
  row.objects++;
  row.agree++;
  if (ourFirstClass(ours) === firstClass(oracle)) row.sameClass++;
  figures.agree++;
}

/** @param reason the name of a difference that is on purpose */
export function countDifference(figures: ReleaseFigures, oracle: OracleVerdict, reason?: string): void {
  figures.classes[firstClass(oracle)].objects++;
  if (reason === undefined) figures.different++;
  else figures.onPurpose[reason] = (figures.onPurpose[reason] ?? 0) + 1;
}

export function figureLines({ release, corpus, mutants, agree, different, onPurpose, classes }: ReleaseFigures): string[] {
  return [
    `Karpenter ${release}: ${corpus} objects of the corpus, ${mutants} mutants: ${agree} agree, ${different} differ`,
    ...COLUMNS.map((column) => {
      const { objects, agree: agreed, sameClass } = classes[column];
      return `  ${column.padEnd(8)} ${figure(objects)} objects, ${figure(agreed)} agree, ${figure(sameClass)} of them in who is the first to refuse`;
    }),
    ...Object.entries(onPurpose).map(([name, count]) => `  on purpose: ${count} × ${name}: ${ON_PURPOSE.find((difference) => difference.name === name)!.reason}`),
  ];
}

function figure(value: number): string {
  return String(value).padStart(6);
}
