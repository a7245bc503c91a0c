/* eslint-disable @typescript-eslint/no-require-imports -- what draws charts is large, and loaded where one is drawn */
import { Told } from '../told';
import { Verdict } from '../verdict';

/**
 * The verdict as a page of HTML that stands by itself: without scripts, and without anything to fetch. The same verdict gives the same bytes.
 *
 * @param played what the page tells of scenarios
 */
export function renderHtml(verdict: Verdict, played?: Told): string {
  return (require('./page') as typeof import('./page')).page(verdict, played);
}
