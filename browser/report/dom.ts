export function all<Found extends Element = HTMLElement>(selector: string, root: ParentNode = document): Found[] {
  return [...root.querySelectorAll<Found>(selector)];
}

/** An element with attributes and children. Texts are never read as markup. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Presses one button of a group. */
export function press(buttons: readonly HTMLElement[], pressed: HTMLElement | undefined): void {
  for (const button of buttons) button.setAttribute('aria-pressed', String(button === pressed));
}
