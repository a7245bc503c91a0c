const LIGHT = `--bg:#f6f7f9;--card:#fff;--soft-bg:#f0f2f5;--line:#e1e4ea;--line-2:#c9cfd8;--ink:#14171c;--ink-2:#474e5c;--ink-3:#5d6574;--accent:#2355c4;--accent-bg:#e7eefc;
--error:#b3261e;--error-bg:#fdeceb;--warning:#855000;--warning-mark:#d0881a;--warning-bg:#fdf3e0;--info:#2f5d8a;--info-mark:#6d93b8;--info-bg:#e9f1f8;--good:#0f6b48;--good-mark:#1f9d7a;--good-bg:#e4f4ed;
--added:#e5f4ec;--added-ink:#0d5637;--removed:#fcebea;--removed-ink:#95201a;--heat:#d55e00;--hatch:#8b94a3;--hatch-bg:#e6e9ee;--free:#fafbfc;
--k0:#174a8c;--k1:#c28800;--k2:#12886a;--k3:#c9619c;--k4:#3b9ad9;--k5:#9c3d0a;--k6:#7d62ad;--k7:#a3a03a;--k8:#5f6f80;--k9:#8a5a3b;--k10:#3c8d8d;--k11:#b5536b;color-scheme:light`;

const DARK = `--bg:#0b0d10;--card:#121519;--soft-bg:#1a1e24;--line:#262b34;--line-2:#3a424f;--ink:#eceef2;--ink-2:#b7bdc9;--ink-3:#949cab;--accent:#8db2ff;--accent-bg:#18243f;
--error:#ff9289;--error-bg:#331a1a;--warning:#f0b860;--warning-mark:#dd9a1e;--warning-bg:#2d2413;--info:#93bde8;--info-mark:#5f88b0;--info-bg:#15222f;--good:#62cf9f;--good-mark:#2fae86;--good-bg:#10281f;
--added:#10281d;--added-ink:#7fdcae;--removed:#331a1a;--removed-ink:#ffaaa3;--heat:#e8701a;--hatch:#5d6675;--hatch-bg:#20252d;--free:#0e1114;
--k0:#3f7fd0;--k1:#e6b04a;--k2:#2a9d7a;--k3:#dd9cc4;--k4:#86cdf5;--k5:#c9581c;--k6:#9a83c9;--k7:#b6b34e;--k8:#7f8fa1;--k9:#a9775a;--k10:#52a6a6;--k11:#cf7188;color-scheme:dark`;

const FILLS = Array.from(
  { length: 12 },
  (_, index) => `.k${index}{background:var(--k${index});fill:var(--k${index})}`,
).join('');

/**
 * Colors in both themes. Text has a contrast of 4.5 to its ground; the colors k0 to k5 differ also for people who do
 * not tell red from green.
 */
export const COLORS = `:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}
:root[data-theme=dark]{${DARK}}
${FILLS}
.b-ok{background:var(--good-mark)}.b-error{background:var(--error)}.b-warning{background:var(--warning-mark)}.b-info{background:var(--info-mark)}
.error{color:var(--error)}.warning{color:var(--warning)}.info{color:var(--info)}.good{color:var(--good)}.soft{color:var(--ink-3)}.bad{color:var(--error)}
.p-system{fill:url(#hatch-system)}.p-daemons{fill:url(#hatch-daemons)}.h-ground{fill:var(--hatch-bg)}.h-line{fill:var(--hatch)}
`;
