import { withoutControlCharacters } from './text';
import { ScenarioReport } from '../../disruption';

/** What reports tell of scenarios. */
export interface Told {
  readonly reports: readonly ScenarioReport[];
  readonly assumptions: readonly string[];
  readonly notEvaluated: readonly string[];
  /** Of several scenarios those that have no report. @default - it is one scenario */
  readonly notPlayed?: ReadonlyArray<{ readonly scenario: string; readonly why: string }>;
}

/** Nothing but what is told, in characters that can be printed. */
export function printableTold({ reports, assumptions, notEvaluated, notPlayed }: Told): Told {
  return withoutControlCharacters({ reports, assumptions, notEvaluated, notPlayed });
}

/** Those of one scenario together. */
export function scenariosOf(reports: readonly ScenarioReport[]): ScenarioReport[][] {
  const names = [...new Set(reports.map(({ scenario }) => scenario))];
  return names.map((name) => reports.filter(({ scenario }) => scenario === name));
}
