/** The element with an id, which index.html has. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element has the id ${id}`);
  return found as T;
}

/** An element with texts and elements in it. Texts are never parsed as HTML. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Array<string | Node>
): HTMLElement {
  const result = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) result.setAttribute(name, value);
  result.append(...children);
  return result;
}

/** Shows a short message for some seconds, which screen readers announce. */
export function notify(text: string, seconds = 8): void {
  const note = byId('note');
  note.textContent = text;
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    note.textContent = '';
  }, seconds * 1000);
}

let hiding: ReturnType<typeof setTimeout> | undefined;
