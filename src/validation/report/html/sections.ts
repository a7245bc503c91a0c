import { patchLines } from './findings';
import { html, Markup, NOTHING, when } from './markup';
import { countText, hourlyPriceText, monthlyPriceText, percentText } from '../../../model';
import { Verdict } from '../../vocabulary/verdict';
import { Section } from '../wording';

/** A section with lines of text. */
export function linesPart({ title, lines }: Section): Markup {
  return html`<section class="sec"><header><h2>${title}</h2></header><pre class="card pc" tabindex="0">${lines.map((line) => line.replace(/^ {2}/, '')).join('\n')}</pre></section>
`;
}

/** Sentences about what the numbers rest on, folded. */
export function assumptionsPart(sentences: readonly string[]): Markup {
  return html`<section id="assumptions" class="sec"><header><h2>Assumptions</h2></header>${when(
    sentences.length > 0,
    () =>
      html`<details class="card"><summary>${countText(sentences.length, 'sentence')} about what this rests on</summary><ul>${sentences.map(
        (sentence) => html`<li>${sentence}</li>`,
      )}</ul></details>`,
  )}</section>
`;
}

/** The change of a NodePool that makes the same pods cheaper, with its patch. */
export function cheaperPart({ cheaper, summary: { cost } }: Verdict): Markup {
  if (cheaper === undefined || cost.usdPerHour === null) return NOTHING;
  const { nodePool, description, usdPerHour, differences, condition, patch, requirements } = cheaper;
  const saved = cost.usdPerHour - usdPerHour;
  const facts = [
    `${hourlyPriceText(usdPerHour, cost.currency)} instead of ${hourlyPriceText(cost.usdPerHour, cost.currency)}`,
    ...differences,
  ];
  return html`<section id="cheaper" class="sec" aria-labelledby="h-cheaper"><header><h2 id="h-cheaper">Cheaper</h2><p>One change of a NodePool with which the same pods cost less. It was checked: no pod loses its node, and the change makes no finding.</p></header>
<article class="card pc"><h3>Save ${monthlyPriceText(saved, cost.currency)} (${percentText(saved / cost.usdPerHour)}): in NodePool ${nodePool}, ${description}</h3><p class="sub">${facts.join(' · ')}</p>${when(
    condition !== undefined,
    () => html`<p class="sub">${condition!}</p>`,
  )}
<div class="code"><div class="cx"><span>${description}</span><button type="button" class="btn" data-copy hidden>Copy the patch</button></div><pre tabindex="0" class="patch">${patchLines(patch)}</pre></div>
<p class="sub">With constructs: <span class="mono">${requirements.join(', ')}</span>. <code>karpenter-constructs recommend</code> shows more changes, and what they do to spot and zones.</p></article></section>
`;
}
