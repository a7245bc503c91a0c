import { regionOfZone } from '../../../../catalog';
import { FieldPath, removeField, safeFix, setField, unsafeFix } from '../../../../contract';
import { Label, listText, normalizeLabelKey, RequirementSpec } from '../../../../model';
import { subnetZonesOf } from '../../../context/subnet-zones';
import { Pool } from '../../common/pool';
import { RuleContext, RuleFinding } from '../../rule';

/** A finding if a requirement of a NodePool names zones in which its node class has no subnet. */
export function zonesWithoutSubnets(
  { model, options }: RuleContext,
  { object, spec }: Pool,
  { key, operator, values = [] }: RequirementSpec,
  path: FieldPath,
): RuleFinding[] {
  if (operator !== 'In' || normalizeLabelKey(key) !== Label.ZONE) return [];
  const nodeClasses = model.nodeClasses.filter((nodeClass) => nodeClass.object.name === spec?.nodeClass);
  const subnets = nodeClasses.length === 1 ? subnetZonesOf(model, nodeClasses[0]) : undefined;
  if (subnets === undefined) return [];
  const { zones, related } = subnets;
  const regions = new Set(zones.map(regionOfZone));
  const missing = values.filter(
    (zone) => !zones.includes(zone) && regions.has(regionOfZone(zone)) && options.zones?.includes(zone) !== true,
  );
  if (missing.length === 0 || regions.size !== 1) return [];
  const isAll = missing.length === values.length;
  const unused = zones.filter((zone) => !values.includes(zone));
  const replacing = isAll ? zones : unused.slice(0, missing.length);
  const own = values.filter((zone) => !missing.includes(zone));
  const there = missing.length === 1 ? 'that zone' : 'these zones';
  const edit = path.includes('labels')
    ? isAll
      ? setField(path, zones[0])
      : removeField(path)
    : setField([...path, 'values'], [...own, ...replacing]);
  return [
    {
      object,
      path,
      message: `requires ${listText(missing)}, where EC2NodeClass ${nodeClasses[0].object.name} selects no subnet: the NodePool launches no nodes${isAll ? '' : ' there'}`,
      remedy: `${replacing.length === 0 ? `remove ${listText(missing)}` : `write ${listText(replacing, isAll ? 'or' : 'and')} instead of ${listText(missing)}`}, or add subnets in ${there}`,
      evidence: { values: missing, subnetZones: zones },
      fix: replacing.length === 0 ? safeFix(edit) : unsafeFix(edit),
      related,
      severity: isAll ? 'error' : 'warning',
    },
  ];
}
