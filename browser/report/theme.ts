import { all } from './dom';

const THEMES = ['auto', 'light', 'dark'];
const KEY = 'karpenter-constructs-theme';

/** The button that switches between the themes. The choice is kept where the browser allows that. */
export function startTheme(): void {
  const [button] = all('[data-theme-button]');
  let theme = stored();
  const apply = (): void => {
    document.documentElement.dataset.theme = theme === 'auto' ? '' : theme;
    button.querySelector('span')!.textContent = theme;
  };
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A page opened from a file may have no storage.
    }
    apply();
  });
  apply();
}

function stored(): string {
  try {
    const theme = localStorage.getItem(KEY) ?? '';
    return THEMES.includes(theme) ? theme : 'auto';
  } catch {
    return 'auto';
  }
}
