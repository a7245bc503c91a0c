/** A notation for a value that a program or a person fills in before the manifest is applied. */
interface Notation {
  readonly pattern: RegExp;
  readonly filledInBy: string;
}

const TERRAFORM = 'Terraform';
const TERRAFORM_OR_FLUX = 'Terraform, envsubst or Flux';
const ENVSUBST = 'envsubst or Flux';
const GO_TEMPLATE = 'a Go template';
const JINJA = 'Jinja';

/**
 * The first notation that matches decides. CDK's tokens are recognised before. The content of `${…}` never begins with
 * `aws:`, because IAM policies have variables of that form.
 */
const NOTATIONS: readonly Notation[] = [
  { pattern: /\$\{\{/, filledInBy: 'Backstage or a pipeline' },
  { pattern: /\{\{[^{}]*(?:\.(?:Values|Release|Chart|Files)|\binclude)\b/, filledInBy: 'Helm' },
  { pattern: /\{\{-?\s*[.$(]/, filledInBy: GO_TEMPLATE },
  { pattern: /\{%|\{\{\s*\w/, filledInBy: JINJA },
  { pattern: /\{\{/, filledInBy: GO_TEMPLATE },
  {
    pattern: /%\{|\$\{\s*(?:(?:var|local|module|data|path|each|count|self)[.[]|[a-z][\w-]*\()/,
    filledInBy: TERRAFORM,
  },
  { pattern: /\$\{\s*(?:env|params|github|currentBuild|pipeline|steps|inputs)\.\w/, filledInBy: 'a pipeline' },
  { pattern: /\$\{\s*[a-z]\w*\.\w/, filledInBy: TERRAFORM },
  { pattern: /\$\{(?!Token\[|aws:)[A-Z][A-Z0-9_]*\b/, filledInBy: ENVSUBST },
  { pattern: /\$\{(?!Token\[|aws:)/, filledInBy: TERRAFORM_OR_FLUX },
  { pattern: /\$\([A-Za-z_][\w.-]*\)/, filledInBy: 'kustomize or a pipeline' },
  { pattern: /\$[A-Z_][A-Z0-9_]*\b/, filledInBy: ENVSUBST },
  { pattern: /#\{[A-Za-z_][\w.-]*\}/, filledInBy: 'a pipeline' },
  {
    pattern:
      /<[A-Za-z][\w .-]*>|\[[A-Z][A-Z0-9]*[_ -][A-Z0-9_ -]*\]|__[A-Z][A-Z0-9_]*__|@[A-Z][A-Z0-9_]+@|%[A-Z][A-Z0-9_]+%/,
    filledInBy: 'sed or an editor',
  },
];

/** What these notations mean in files of these names. */
const FILES: ReadonlyArray<readonly [name: RegExp, filledInBy: string, instead: readonly string[]]> = [
  [/\.(?:tf|tftpl|tpl)$/, TERRAFORM, [TERRAFORM_OR_FLUX, ENVSUBST]],
  [/\.(?:j2|jinja2?)$/, JINJA, [GO_TEMPLATE]],
  [/\.gotmpl$/, GO_TEMPLATE, [JINJA]],
  [/\.(?:sh|bash)$/, 'the script', [TERRAFORM_OR_FLUX, ENVSUBST]],
];

/** Whether part of a text is a placeholder. */
export function hasPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && MAY_HAVE.test(value) && notationOf(value) !== undefined;
}

/**
 * Whether a name has a word such as `INSTANCE_TYPE`, which a script or a person replaces. Names of objects have no
 * capital letters, so that this is no placeholder in other values.
 */
export function isNameToFillIn(name: string): boolean {
  return NAME_TO_FILL_IN.test(name);
}

const NAME_TO_FILL_IN = /(?:^|[-.])(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{5,})(?=$|[-.])/;

/** One of these characters is in every placeholder. Hot path: most texts have none. */
const MAY_HAVE = /[$#{<[_@%]/;

/** What fills in the placeholder of a text, such as `Terraform`; undefined if the text has none. */
export function fillerOf(text: string, file: string): string | undefined {
  const filledInBy = notationOf(text)?.filledInBy;
  if (filledInBy === undefined) return isNameToFillIn(text) ? 'sed or an editor' : undefined;
  const rule = FILES.find(([name, , instead]) => name.test(file) && instead.includes(filledInBy));
  return rule ? rule[1] : filledInBy;
}

function notationOf(text: string): Notation | undefined {
  return NOTATIONS.find(({ pattern }) => pattern.test(text));
}

const REMEDIES: Readonly<Record<string, string>> = {
  Helm: 'render it first: `helm template <chart> | karpenter-constructs check -`',
  [TERRAFORM]: 'pass a plan: `terraform show -json plan.out > plan.json`, and check plan.json',
  [ENVSUBST]: 'fill them in first: `envsubst < <file> | karpenter-constructs check -`',
};

/** What to do so that values are known. */
export function fillInRemedy(filledInBy: string): string {
  return REMEDIES[filledInBy] ?? 'fill them in first, and pass the result';
}

/**
 * Directives of template languages that decide which lines a file has: conditions, loops, and texts that are
 * included. Such a file can only be read after it is rendered.
 */
const CONTROL =
  /^[ \t]*(?:\{\{-?\s*(?:if|else|end|range|with|define|block|template|include|toYaml|tpl)\b|\{%|%\{|\$\{(?:indent|join)\()[^\n]*/m;

/** The first directive of a text that decides which lines it has, and its offset. */
export function firstDirective(text: string): { readonly directive: string; readonly offset: number } | undefined {
  const match = CONTROL.exec(text);
  return match ? { directive: match[0].trim(), offset: match.index + match[0].search(/\S/) } : undefined;
}
