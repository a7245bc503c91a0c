import { moreText } from '../../../model';
import { groupSimilarPools } from '../similar';
import { html, Markup, NOTHING } from './markup';
import { ReasonVerdict, Verdict } from '../../vocabulary/verdict';
import { helpText } from '../text/fitting-change';
import { eliminationText } from '../text/placements';
import { groupByReason, NO_NODE_POOL, podsTitle, UnschedulableReason, unschedulableReason } from '../text/pods';
import { omittedText } from '../wording';

/** The most groups of pods with different reasons, and the most NodePools with different reasons. */
const MAX_GROUPS = 100;

/** Pods without a node, grouped by reason. */
export function podsPart({ unschedulable, notEvaluated }: Pick<Verdict, 'unschedulable' | 'notEvaluated'>): Markup {
  return html`${part('Pods that do not fit', groupByReason(unschedulable, unschedulableReason), 'error', unschedulablePart)}${part(
    'Pods that are not evaluated',
    groupByReason(notEvaluated, ({ what }) => what),
    'warning',
    (what) => html`<p>${what.join(', ')}</p>`,
  )}`;
}

function part<Reason>(
  title: string,
  groups: ReadonlyArray<readonly [readonly string[], Reason]>,
  severity: string,
  body: (reason: Reason) => Markup,
): Markup {
  if (groups.length === 0) return NOTHING;
  const hidden = groups.slice(MAX_GROUPS).reduce((sum, [pods]) => sum + pods.length, 0);
  return html`<section class="sec" aria-label="${title}"><header><h2>${title}</h2></header>
${groups.slice(0, MAX_GROUPS).map(([pods, reason]) => html`<article class="card pc of-${severity}"><strong>${podsTitle(pods)}</strong>${body(reason)}</article>`)}
${hidden === 0 ? NOTHING : html`<p class="soft">${omittedText(hidden, 'pod')}</p>`}</section>
`;
}

function unschedulablePart({ reasons, ...change }: UnschedulableReason): Markup {
  const text = helpText(change);
  const groups = groupSimilarPools(reasons);
  const why =
    reasons.length === 0 ? html`<p>${NO_NODE_POOL}</p>` : html`<ul>${groups.slice(0, MAX_GROUPS).map(reasonOf)}</ul>`;
  return html`${why}${text === '' ? NOTHING : html`<p class="${change.smallestChange === null ? 'soft' : 'remedy'}">${text}</p>`}`;
}

function reasonOf([{ nodePool, message, diagnosis, elimination }, ...others]: readonly ReasonVerdict[]): Markup {
  return html`<li>${nodePool === '' ? NOTHING : html`<strong>${nodePool}</strong>: `}${message}${
    diagnosis ? html`<br>${diagnosis}` : NOTHING
  }${elimination.length === 0 ? NOTHING : html`<br><span class="soft">${eliminationText(elimination)}</span>`}${
    others.length === 0
      ? NOTHING
      : html`<br><span class="soft">same for ${moreText(others.length)}: ${others.map((other) => other.nodePool).join(', ')}</span>`
  }</li>`;
}
