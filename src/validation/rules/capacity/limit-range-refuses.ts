import { asRecord, FieldPath, setField, unsafeFix } from '../../../contract';
import { formatAmount as formatResource, listText, Quantity, resourceAmount } from '../../../model';
import { ManifestObject, WorkloadManifest } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { podSpecOf } from '../common/pod-constraints';
import { defineRule, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { writtenClaims } from '../storage/written-claims';
import { subjectsWith } from '../subjects';

const MOST_NAMES = 3;
const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];

/** An amount that a LimitRange bounds, and what asks for it. */
interface Asked {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  readonly amount: bigint;
}

/** The bounds of containers are judged with the fields of the pods, by KARP-100. */
export const limitRangeRefuses = defineRule({
  id: 'KARP-336',
  name: 'limit-range-refuses',
  severity: 'error',
  summary:
    'A LimitRange refuses pods for the sum of their containers, for limits far above requests, or claims for their size.',
  subjects: subjectsWith<ManifestObject>(
    (object) => object,
    ({ model }) => model.objects.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'LimitRange'),
  ),
  judge(object, context) {
    return recordsOf(object.raw?.spec?.limits).flatMap((range, index) => {
      const path: FieldPath = ['spec', 'limits', index];
      if (range.type === 'Pod')
        return RESOURCES.flatMap((resource) => aboveMax(path, range, resource, podsIn(object, resource, context)));
      if (range.type === 'PersistentVolumeClaim') return aboveMax(path, range, 'storage', claimsIn(object, context));
      return range.type === 'Container'
        ? RESOURCES.flatMap((resource) => aboveRatio(path, range, resource, object, context))
        : [];
    });
  },
});

function aboveMax(path: FieldPath, range: PlainRecord, resource: string, asked: readonly Asked[]): SubjectFinding[] {
  const most = amountOf(resource, asRecord(range.max)?.[resource]);
  const refused = most === undefined ? [] : asked.filter(({ amount }) => amount > most);
  if (most === undefined || refused.length === 0) return [];
  const largest = refused.reduce((one, other) => (other.amount > one.amount ? other : one));
  const what = range.type === 'Pod' ? 'pods' : 'claims';
  const text = formatAmount(resource, largest.amount);
  const maxPath = [...path, 'max', resource];
  return [
    {
      path: maxPath,
      message:
        `allows ${resource} of ${formatAmount(resource, most)} for each ${range.type === 'Pod' ? 'pod' : 'claim'}, and ` +
        `${namesOf(refused)} ${refused.length === 1 ? 'has' : 'have'} up to ${text}: the API server refuses the ${what}`,
      remedy: `raise max.${resource} to ${text}, or ask for less`,
      evidence: { resource, max: formatAmount(resource, most), asked: text },
      fix: unsafeFix(setField(maxPath, text)),
      related: { object: largest.object, path: largest.path, label: `asks for ${text}` },
    },
  ];
}

/** Containers whose limit is more than so many times their request. */
function aboveRatio(
  path: FieldPath,
  range: PlainRecord,
  resource: string,
  object: ManifestObject,
  context: RuleContext,
): SubjectFinding[] {
  const ratio = Number(asRecord(range.maxLimitRequestRatio)?.[resource] ?? Number.NaN);
  if (!(ratio > 0)) return [];
  const refused = workloadsIn(object, context).flatMap((workload) =>
    recordsOf(podSpecOf(workload)?.containers).flatMap(({ resources }, index) => {
      const [limit, request] = ['limits', 'requests'].map((field) =>
        amountOf(resource, asRecord(asRecord(resources)?.[field])?.[resource]),
      );
      return limit !== undefined && request !== undefined && Number(limit) > ratio * Number(request)
        ? [{ object: workload.object, path: [...workload.podPath, 'containers', index, 'resources'], limit, request }]
        : [];
    }),
  );
  const [first] = refused;
  if (first === undefined) return [];
  const least = BigInt(Math.ceil(Number(first.limit) / ratio));
  return [
    {
      path: [...path, 'maxLimitRequestRatio', resource],
      message:
        `allows limits of ${resource} up to ${ratio} times the request, and a container of ${namesOf(refused)} has a limit of ` +
        `${formatAmount(resource, first.limit)} for a request of ${formatAmount(resource, first.request)}: the API server refuses the pods`,
      remedy: `request ${formatAmount(resource, least)} or more, lower the limit, or raise the ratio`,
      evidence: { resource, ratio },
      related: { object: first.object, path: first.path, label: 'its limit is too far above its request' },
    },
  ];
}

function namesOf(refused: ReadonlyArray<{ readonly object: ManifestObject }>): string {
  const names = [...new Set(refused.map(({ object: { kind, name } }) => `${kind} ${name}`))];
  return listText(
    names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), `${names.length - MOST_NAMES} more`] : names,
  );
}

function workloadsIn({ namespace = 'default' }: ManifestObject, { model }: RuleContext): readonly WorkloadManifest[] {
  return model.workloads.filter((workload) => workload.namespace === namespace && workload.shape !== undefined);
}

/** For each pod, the sum of its limits, or that of its requests if it is larger. Init containers are left out. */
function podsIn(range: ManifestObject, resource: string, context: RuleContext): Asked[] {
  return workloadsIn(range, context).map((workload) => {
    const { object, podPath } = workload;
    const containers = recordsOf(podSpecOf(workload)?.containers);
    const [limits, requests] = ['limits', 'requests'].map((field) =>
      containers.reduce(
        (sum, { resources }) => sum + (amountOf(resource, asRecord(asRecord(resources)?.[field])?.[resource]) ?? 0n),
        0n,
      ),
    );
    return { object, path: podPath, amount: limits > requests ? limits : requests };
  });
}

function claimsIn({ namespace = 'default' }: ManifestObject, { model }: RuleContext): Asked[] {
  return writtenClaims(model).flatMap(({ object, path, spec }) => {
    const amount = amountOf('storage', asRecord(asRecord(spec.resources)?.requests)?.storage);
    return amount === undefined || (object.namespace ?? 'default') !== namespace ? [] : [{ object, path, amount }];
  });
}

/** Sizes of volumes are bytes, as memory is. */
function unitOf(resource: string): string {
  return resource === 'storage' ? 'memory' : resource;
}

function formatAmount(resource: string, amount: bigint): string {
  return formatResource(unitOf(resource), amount);
}

function amountOf(resource: string, written: unknown): bigint | undefined {
  const quantity = Quantity.tryParse(written);
  return quantity === undefined ? undefined : resourceAmount(unitOf(resource), quantity);
}
