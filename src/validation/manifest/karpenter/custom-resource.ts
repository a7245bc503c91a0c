import {
  Consequence,
  FieldProblem,
  findApiStatus,
  formatFieldPath,
  isValidatedKind,
  validateObject,
  rejected,
} from '../../../contract';
import { RecentlyUsed } from '../../../model';
import { CheckOptions } from '../../check-options';
import { isCdkToken, isToken } from '../field-reader';
import { FieldPath, ManifestObject } from '../model';
import { hasPlaceholder } from '../placeholders/placeholder';
import { ProblemLog } from '../problem-log';

/** A field whose value is known only at deployment. */
export interface TokenField {
  readonly path: FieldPath;
  readonly text: string;
  readonly value: unknown;
}

/** Texts in which `$HOME` and `<powershell>` are no placeholders. */
const FREE_TEXT = ['userData', 'description'];
/** Fields whose placeholder is only compared with other texts, or with nothing. */
const COMPARED_FIELDS: readonly FieldPath[] = [
  ['metadata', 'name'],
  ['metadata', 'labels'],
  ['metadata', 'annotations'],
  ['spec', 'template', 'metadata', 'annotations'],
  ['spec', 'template', 'spec', 'nodeClassRef', 'name'],
];

/**
 * The problems that the API server and Karpenter would find in one of Karpenter's own objects. Empty for other objects,
 * and for API versions that are not served: a rule reports those.
 */
export function judgeKarpenterObject(
  { apiVersion, kind, raw }: ManifestObject,
  options: CheckOptions,
): readonly FieldProblem[] {
  const { karpenterVersion, crds, featureGates } = options;
  if (!isValidatedKind(apiVersion, kind) || findApiStatus(apiVersion, kind, karpenterVersion).state !== 'served')
    return [];
  const key = crds === undefined ? keyOf([raw, karpenterVersion ?? '', featureGates ?? null]) : undefined;
  const judge = () =>
    validateObject(raw, { version: karpenterVersion, crds, featureGates }) ?? [
      rejected(
        ['kind'],
        `is not served at ${apiVersion}: the CRDs do not define it`,
        kind,
        'add its CRD to the cluster, or remove the object',
      ),
    ];
  return key === undefined ? judge() : judged.get(key, judge);
}

/** Roots share NodePools, and each trial of a remedy reads the NodePools again. */
const judged = new RecentlyUsed<readonly FieldProblem[]>(200);
const MAX_KEY = 20_000;

/** Undefined for a value that JSON does not tell from another one, and for a large value. */
function keyOf(value: unknown): string | undefined {
  let isExact = true;
  const text = JSON.stringify(value, (_, inner: unknown) => {
    const isPlain =
      inner === null ||
      ['string', 'boolean', 'object'].includes(typeof inner) ||
      (Number.isFinite(inner) && !Object.is(inner, -0));
    isExact &&= isPlain;
    return isPlain ? inner : null;
  });
  return isExact && text.length <= MAX_KEY ? text : undefined;
}

/** Logs the problems of one of Karpenter's own objects, except for fields that hold a token: their value is unknown. */
export function logFieldProblems(
  object: ManifestObject,
  problems: readonly FieldProblem[],
  log: ProblemLog,
): { tokens: TokenField[]; logged: FieldProblem[] } {
  const tokens = tokenFields(object.raw, []);
  for (const { path, value } of tokens) log.notePlaceholder(object, path, value);
  const logged = problems.filter(({ path }) => !tokens.some((token) => overlap(token.path, path)));
  for (const problem of logged) log.addFieldProblem(object, problem);
  return { tokens: tokens.filter((token) => !isCompared(token)), logged };
}

/** Whether Karpenter ignores an object with such a problem, rather than using it in another way than intended. */
export function preventsUse(consequence: Consequence): boolean {
  return consequence === 'rejected' || consequence === 'not-ready';
}

/**
 * Whether the object is the same without the field, which the API server refuses: it is unknown, and no misspelt or
 * misplaced one.
 */
export function isSuperfluous({ apiServer = '', fix, remedy }: FieldProblem): boolean {
  return apiServer.startsWith('unknown field ') && fix === undefined && remedy.startsWith('remove it');
}

/** Whether a placeholder of the field decides nothing that is unknown. */
function isCompared({ path, value }: TokenField): boolean {
  return hasPlaceholder(value) && COMPARED_FIELDS.some((field) => field.every((step, i) => path[i] === step));
}

function tokenFields(value: unknown, path: FieldPath): TokenField[] {
  if (isToken(value)) return [{ path, value, text: formatFieldPath(path) }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (FREE_TEXT.includes(key) && !isCdkToken(item)) return [];
    const itemPath = [...path, Array.isArray(value) ? Number(key) : key];
    return isToken(key)
      ? [{ path: itemPath, value: key, text: formatFieldPath(itemPath) }]
      : tokenFields(item, itemPath);
  });
}

/** Whether one of the paths is inside the other. */
function overlap(left: FieldPath, right: FieldPath): boolean {
  const length = Math.min(left.length, right.length);
  return left.slice(0, length).every((step, i) => step === right[i]);
}
