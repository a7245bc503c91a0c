import { html, Markup, when } from './markup';
import { countText } from '../../../model';
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
