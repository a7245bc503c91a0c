import { createColors } from 'picocolors';
import { ScenarioReports } from '../scenario/scenario-reports';
import { describeFilledNodes } from '../text/nodes';
import { outcome, sectionsOf, VerdictPart } from '../text/verdict';
import { Verdict } from '../verdict';
import { Section, withoutControlCharacters } from '../wording';
import { badges, findingsPart } from './findings';
import { html, Markup, NOTHING } from './markup';
import { nodesPart } from './nodes';
import { podsPart } from './pods';
import { scenariosPart } from './scenarios';
import { STYLE } from './style';

const PLAIN = createColors(false);
/** The page runs no script and fetches nothing, even if manifests inject markup. */
const POLICY = 'default-src \'none\'; style-src \'unsafe-inline\'';

/** The verdict, and optionally the reports of scenarios, as one page. */
export function page(rawVerdict: Verdict, rawScenarios: ScenarioReports | undefined): string {
  const verdict = withoutControlCharacters(rawVerdict);
  const scenarios = rawScenarios && withoutControlCharacters(rawScenarios);
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
${scenarios ? scenariosPart(scenarios) : NOTHING}
${nodesPart(verdict)}
${otherSections(verdict).map(linesPart)}
${assumptionsPart([...verdict.assumptions.length === 0 ? [] : linesOf('assumptions', verdict), ...scenarios?.assumptions ?? []])}
</main>
</body>
</html>
`;
  return text;
}

/** Sections with the same lines as in the text report. */
function otherSections(verdict: Verdict): Section[] {
  const parts: VerdictPart[] = ['acknowledged', 'node-pools', 'placements', 'capacity-buffers'];
  return [describeFilledNodes(verdict), ...parts.flatMap((part) => sectionsOf(part, verdict, PLAIN))].filter(({ lines }) => lines.length > 0);
}

function linesPart({ title, lines }: Section): Markup {
  return html`<section><h2>${title}</h2><pre>${lines.map((line) => line.replace(/^ {2}/, '')).join('\n')}</pre></section>
`;
}

function linesOf(part: VerdictPart, verdict: Verdict): string[] {
  return sectionsOf(part, verdict, PLAIN).flatMap(({ lines }) => lines.map((line) => line.replace(/^\s*- /, '')));
}

function assumptionsPart(sentences: readonly string[]): Markup {
  if (sentences.length === 0) return NOTHING;
  return html`<section><h2>Assumptions</h2><ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`;
}
