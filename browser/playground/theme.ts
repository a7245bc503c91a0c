/** The key under which the HTML report keeps the theme that its reader chose. */
const REPORT_KEY = 'karpenter-constructs-theme';
/** The key of the documentation site. */
const SITE_KEY = 'vitepress-theme-appearance';

/** Shows the page in the theme chosen in a report or on the site, otherwise in the theme of the browser. */
export function startTheme(): void {
  apply();
  // A report in the frame, or another tab, has changed it.
  addEventListener('storage', apply);
}

function apply(): void {
  document.documentElement.dataset.theme = stored(REPORT_KEY) ?? stored(SITE_KEY) ?? '';
}

/** Gives the report the theme of the page, unless it has its own. */
export function applyTheme(report: Document): void {
  const { theme } = document.documentElement.dataset;
  if (theme && !report.documentElement.dataset.theme) report.documentElement.dataset.theme = theme;
}

function stored(key: string): string | undefined {
  try {
    const theme = localStorage.getItem(key);
    return theme === 'light' || theme === 'dark' ? theme : undefined;
  } catch {
    return undefined; // Some browsers refuse storage to pages that the user does not trust.
  }
}
