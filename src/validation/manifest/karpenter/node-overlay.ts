import { logFieldProblems, preventsUse } from './custom-resource';
import { asRecord, FieldProblem } from '../../../contract';
import { Quantity, RequirementSpec, resourceAmount } from '../../../model';
import { NodeOverlaySpec } from '../../../scheduling';
import { ManifestObject, NodeOverlayManifest } from '../model';
import { ProblemLog } from '../problem-log';
import { PlainRecord, recordsOf } from '../records';

/** Karpenter does not apply an overlay with any mistake, because every field of it matters. */
export function readNodeOverlay(
  object: ManifestObject,
  problems: readonly FieldProblem[],
  log: ProblemLog,
): NodeOverlayManifest {
  const { tokens, logged } = logFieldProblems(object, problems, log);
  const spec = asRecord(object.raw.spec);
  const isUsable = spec && tokens.length === 0 && !logged.some(({ consequence }) => preventsUse(consequence));
  return { object, tokens: tokens.map(({ text }) => text), spec: isUsable ? specOf(object.name, spec) : undefined };
}

function specOf(
  name: string,
  { weight, requirements, price, priceAdjustment, capacity }: PlainRecord,
): NodeOverlaySpec {
  const priceChange = price ?? priceAdjustment;
  return {
    name,
    weight: typeof weight === 'number' ? weight : 0,
    requirements: recordsOf(requirements).map(
      ({ key, operator, values }) => ({ key, operator, values: values ?? [] }) as unknown as RequirementSpec,
    ),
    capacity: capacityOf(asRecord(capacity) ?? {}),
    ...(typeof priceChange === 'string' ? { priceChange } : {}),
  };
}

function capacityOf(capacity: PlainRecord): Map<string, bigint> {
  return new Map(
    Object.entries(capacity).flatMap(([resource, value]): Array<[string, bigint]> => {
      const quantity = Quantity.tryParse(value);
      return quantity ? [[resource, resourceAmount(resource, quantity)]] : [];
    }),
  );
}
