import type { OracleVerdict, RefusalClass } from './oracle';
import { INTENDED_DIFFERENCES, firstClass, ourFirstClass, OurVerdict, REFUSAL_CLASSES } from './verdicts';

const COLUMNS: ReadonlyArray<RefusalClass | 'accepted'> = ['accepted', ...REFUSAL_CLASSES];

/** Figures of the objects that the oracle accepts, or that one class of rules rejects first. */
interface Row {
  objects: number;
  agree: number;
  /** Agreeing objects that the same class rejects first on our side. */
  sameClass: number;
}

/** Figures of one release. */
export interface ReleaseFigures {
  readonly release: string;
  readonly corpus: number;
  readonly mutants: number;
  agree: number;
  different: number;
  /** Number of intended differences by name. */
  readonly onPurpose: Record<string, number>;
  readonly classes: Readonly<Record<string, Row>>;
}

export function emptyFigures(release: string, corpus: number, mutants: number): ReleaseFigures {
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

/** @param reason name of an intended difference */
export function countDifference(figures: ReleaseFigures, oracle: OracleVerdict, reason?: string): void {
  figures.classes[firstClass(oracle)].objects++;
  if (reason === undefined) figures.different++;
  else figures.onPurpose[reason] = (figures.onPurpose[reason] ?? 0) + 1;
}

export function figureLines({
  release,
  corpus,
  mutants,
  agree,
  different,
  onPurpose,
  classes,
}: ReleaseFigures): string[] {
  return [
    `Karpenter ${release}: ${corpus} corpus objects and ${mutants} mutants: ${agree} agree, ${different} differ`,
    ...COLUMNS.map((column) => {
      const { objects, agree: agreed, sameClass } = classes[column];
      return `  ${column.padEnd(8)} ${figure(objects)} objects, ${figure(agreed)} agree, ${figure(sameClass)} with the same first class`;
    }),
    ...Object.entries(onPurpose).map(
      ([name, count]) =>
        `  intended: ${count} × ${name}: ${INTENDED_DIFFERENCES.find((difference) => difference.name === name)!.reason}`,
    ),
  ];
}

function figure(value: number): string {
  return String(value).padStart(6);
}
