/* eslint-disable @typescript-eslint/no-require-imports -- the chart library is large, so it is loaded on use */
import type { RuleSummary } from './findings';
import { Difference } from '../../difference/difference';
import { RootDifferences } from '../../difference/root-differences';
import type { BudgetCalendars } from '../../scenario/budget-calendar';
import { Verdict } from '../../vocabulary/verdict';
import { ScenarioReports } from '../scenario/scenario-reports';
import type { RootVerdict } from '../text/roots';

/**
 * The verdict as a self-contained HTML page that fetches nothing. Its script adds filters and details; without it, the
 * page is readable. The same verdict gives the same bytes.
 *
 * @param scenarios reports of scenarios to include
 * @param rules summaries to print with the findings of a rule
 * @param calendars when the budgets of NodePools allow disruptions. @default - the page does not show it
 */
export function renderHtml(
  verdict: Verdict,
  scenarios?: ScenarioReports,
  rules: readonly RuleSummary[] = [],
  calendars?: BudgetCalendars,
): string {
  return (require('./page') as typeof import('./page')).page(verdict, scenarios, rules, calendars);
}

/** The verdicts on several roots as one self-contained HTML page. The same verdicts give the same bytes. */
export function renderRootsHtml(roots: readonly RootVerdict[], rules: readonly RuleSummary[] = []): string {
  return (require('./roots') as typeof import('./roots')).rootsPage(roots, rules);
}

/** A difference as a self-contained HTML page. The same difference gives the same bytes. */
export function renderDifferenceHtml(difference: Difference, rules: readonly RuleSummary[] = []): string {
  return (require('./difference') as typeof import('./difference')).differencePage(difference, rules);
}

/** The differences of several roots as a self-contained HTML page. The same differences give the same bytes. */
export function renderRootDifferencesHtml(differences: RootDifferences, rules: readonly RuleSummary[] = []): string {
  return (require('./difference-roots') as typeof import('./difference-roots')).rootDifferencesPage(differences, rules);
}

/** Budget calendars as one self-contained HTML page. The same calendars give the same bytes. */
export function renderBudgetsHtml(calendars: BudgetCalendars): string {
  return (require('./budgets') as typeof import('./budgets')).budgetsPage(calendars);
}
