import { createColors } from 'picocolors';
import { describeFilledNodes } from '../nodes-text';
import { Section } from '../section';
import { outcome, sectionsOf, VerdictPart, withoutControlCharacters } from '../text';
import { Told } from '../told';
import { Verdict } from '../verdict';
import { badges, findingsPart } from './findings';
import { html, Markup, NOTHING } from './markup';
import { nodesPart } from './nodes';
import { podsPart } from './pods';
import { scenariosPart } from './scenarios';
import { STYLE } from './style';

const PLAIN = createColors(false);
/** It runs no script and fetches nothing, whatever got into it. */
const POLICY = 'default-src \'none\'; style-src \'unsafe-inline\'';

/** The verdict as one page. */
export function page(rawVerdict: Verdict, rawPlayed: Told | undefined): string {
  const verdict = withoutControlCharacters(rawVerdict);
  const played = rawPlayed && withoutControlCharacters(rawPlayed);
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Karpenter: ${outcome(verdict)}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header><h1>${outcome(verdict)}</h1>${badges(verdict)}</header>
<main>
${podsPart(verdict)}
${findingsPart(verdict)}
${played ? scenariosPart(played) : NOTHING}
${nodesPart(verdict)}
${otherSections(verdict).map(linesPart)}
${grantedPart([...verdict.assumptions.length === 0 ? [] : linesOf('assumptions', verdict), ...played?.assumptions ?? []])}
</main>
</body>
</html>
`;
  return text;
}

/** In the words of the text. */
function otherSections(verdict: Verdict): Section[] {
  const parts: VerdictPart[] = ['node-pools', 'stories', 'capacity-buffers'];
  return [describeFilledNodes(verdict), ...parts.flatMap((part) => sectionsOf(part, verdict, PLAIN))].filter(({ lines }) => lines.length > 0);
}

function linesPart({ title, lines }: Section): Markup {
  return html`<section><h2>${title}</h2><pre>${lines.map((line) => line.replace(/^ {2}/, '')).join('\n')}</pre></section>
`;
}

function linesOf(part: VerdictPart, verdict: Verdict): string[] {
  return sectionsOf(part, verdict, PLAIN).flatMap(({ lines }) => lines.map((line) => line.replace(/^\s*- /, '')));
}

function grantedPart(sentences: readonly string[]): Markup {
  if (sentences.length === 0) return NOTHING;
  return html`<section><h2>Taken for granted</h2><ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`;
}
