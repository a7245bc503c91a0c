import { createHash } from 'node:crypto';
import { CLIENT } from './client.generated';
import { html, Markup } from './markup';
import { scriptJson, PageData } from './page-data';
import { STYLE } from './style';

/** The page runs its own script only and fetches nothing, even if manifests inject markup. */
const POLICY = `default-src 'none'; script-src '${hashOf(CLIENT)}'; style-src '${hashOf(STYLE)}'; style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

export interface DocumentParts {
  readonly title: string;
  /** Links to sections: id and name. */
  readonly links: ReadonlyArray<readonly [id: string, name: string]>;
  readonly main: Markup;
  readonly footer: string;
  /** What the script reads. */
  readonly data: PageData;
}

/** A self-contained page with the style sheet, the script and the navigation of all reports. */
export function documentOf({ title, links, main, footer, data }: DocumentParts): string {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Karpenter: ${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
${navigation(links)}
<main id="main" class="wrap">
${main}
</main>
<footer class="wrap">${footer}</footer>
${PATTERNS}
<script type="application/json" id="data">${new Markup(scriptJson(data))}</script>
<script>${new Markup(CLIENT)}</script>
</body>
</html>
`;
  return text;
}

const PATTERNS = html`<svg width="0" height="0" aria-hidden="true" class="defs"><defs><pattern id="hatch-system" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" class="h-ground"/><rect width="1.4" height="5" class="h-line"/></pattern><pattern id="hatch-daemons" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="4" height="4" class="h-ground"/><rect width="2" height="4" class="h-line"/></pattern></defs></svg>`;

function navigation(links: DocumentParts['links']): Markup {
  return html`<div class="top"><div class="wrap"><span class="brand"><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><rect width="8" height="11" rx="2" class="k0"/><rect x="10" width="8" height="6" rx="2" class="k2"/><rect y="13" width="8" height="5" rx="2" class="k1"/><rect x="10" y="8" width="8" height="10" rx="2" class="k4"/></svg><span class="nm">karpenter-constructs</span></span><nav aria-label="Sections">${links.map(
    ([id, name]) => html`<a href="#${id}">${name}</a>`,
  )}</nav><button type="button" class="btn" data-theme-button data-script hidden>Theme: <span>auto</span></button></div></div>`;
}
