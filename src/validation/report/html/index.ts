/* eslint-disable @typescript-eslint/no-require-imports -- the chart library is large, so it is loaded on use */
import { ScenarioReports } from '../scenario/scenario-reports';
import { Verdict } from '../verdict';

/**
 * The verdict as a self-contained HTML page, without scripts and without anything to fetch. The same verdict gives the
 * same bytes.
 *
 * @param scenarios reports of scenarios to include
 */
export function renderHtml(verdict: Verdict, scenarios?: ScenarioReports): string {
  return (require('./page') as typeof import('./page')).page(verdict, scenarios);
}
