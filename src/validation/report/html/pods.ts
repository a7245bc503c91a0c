import { foldPools } from '../alike-pools';
import { eliminationText } from '../explanation-text';
import { alikePods, changeText, podsTitle, WhyAndWhatInstead, whyAndWhatInstead } from '../pods-text';
import { plural } from '../section';
import { ReasonVerdict, Verdict } from '../verdict';
import { html, Markup, NOTHING } from './markup';

/** Of pods with different reasons, and of NodePools that refuse for different reasons. */
const MOST = 100;

/** Pods without a node, those with the same reason together. */
export function podsPart({ unschedulable, notEvaluated }: Pick<Verdict, 'unschedulable' | 'notEvaluated'>): Markup {
  return html`${part('Pods that do not fit', alikePods(unschedulable, whyAndWhatInstead), 'error', refused)}${
    part('Pods that are not evaluated', alikePods(notEvaluated, ({ what }) => what), 'warning', (what) => html`<p>${what.join(', ')}</p>`)}`;
}

function part<Reason>(
  title: string, groups: ReadonlyArray<readonly [readonly string[], Reason]>, severity: string, body: (reason: Reason) => Markup,
): Markup {
  if (groups.length === 0) return NOTHING;
  const hidden = groups.slice(MOST).reduce((sum, [pods]) => sum + pods.length, 0);
  return html`<section><h2>${title}</h2>
${groups.slice(0, MOST).map(([pods, reason]) => html`<article class="card of-${severity}"><strong>${podsTitle(pods)}</strong>${body(reason)}</article>`)}
${hidden === 0 ? NOTHING : html`<p class="soft">and ${plural(hidden, 'pod')} more: --format json lists them all</p>`}</section>`;
}

function refused({ reasons, ...change }: WhyAndWhatInstead): Markup {
  const text = changeText(change);
  const groups = foldPools(reasons);
  const why = reasons.length === 0 ? html`<p>there is no NodePool that could be judged</p>` : html`<ul>${groups.slice(0, MOST).map(reasonOf)}</ul>`;
  return html`${why}${text === '' ? NOTHING : html`<p class="${change.smallestChange === null ? 'soft' : 'remedy'}">${text}</p>`}`;
}

function reasonOf([{ nodePool, message, diagnosis, elimination }, ...others]: readonly ReasonVerdict[]): Markup {
  return html`<li>${nodePool === '' ? NOTHING : html`<strong>${nodePool}</strong>: `}${message}${
    diagnosis ? html`<br>${diagnosis}` : NOTHING}${elimination.length === 0 ? NOTHING : html`<br><span class="soft">${eliminationText(elimination)}</span>`}${
    others.length === 0 ? NOTHING : html`<br><span class="soft">the same of ${others.length} more: ${others.map((other) => other.nodePool).join(', ')}</span>`}</li>`;
}
