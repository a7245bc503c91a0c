import { Cursor, flag, json, listOf, mapOf, number, struct, text, textMap, Writer } from './cursor';
import { isObject } from './equality';
import { call, entry, Expression, literal, object } from './expression';
import { duration, seconds } from './quantities';

const NAMED = {
  clusterDns: ['clusterDNS', listOf(text)],
  maxPods: ['maxPods', number],
  maxPodsExpression: ['maxPods', text],
  podsPerCore: ['podsPerCore', number],
  systemReserved: ['systemReserved', textMap],
  kubeReserved: ['kubeReserved', textMap],
  evictionHard: ['evictionHard', textMap],
  evictionSoft: ['evictionSoft', textMap],
  evictionSoftGracePeriod: ['evictionSoftGracePeriod', mapOf(duration)],
  evictionMaxPodGracePeriod: ['evictionMaxPodGracePeriod', seconds],
  imageGcHighThresholdPercent: ['imageGCHighThresholdPercent', number],
  imageGcLowThresholdPercent: ['imageGCLowThresholdPercent', number],
  cpuCfsQuota: ['cpuCFSQuota', flag],
} as const satisfies Record<string, readonly [string, Writer]>;

const named = struct(NAMED);
const NAMED_FIELDS: readonly string[] = Object.values(NAMED).map(([field]) => field);

/** Settings without a property of their own are under `other`. */
export const kubelet: Writer = (at) => {
  const settings = named(at);
  if (settings?.kind !== 'object' || !isObject(at.value)) return undefined;
  const other = Object.keys(at.value).filter((key) => !NAMED_FIELDS.includes(key)).map((key) => entry(key, setting(at.at(key)!), at.at(key)!.path));
  return object([...settings.entries, ...other.length > 0 ? [entry('other', object(other))] : []]);
};

function setting(at: Cursor): Expression {
  const make = (method: string, value: Expression | undefined) => value && call('nodes.KubeletSetting', method, value);
  const texts = listOf(text)(at);
  if (texts?.kind === 'list') return call('nodes.KubeletSetting', 'texts', ...texts.items.map(({ value }) => value));
  return make('text', text(at)) ?? make('number', number(at)) ?? make('flag', flag(at)) ?? make('textMap', textMap(at))
    ?? call('nodes.KubeletSetting', 'json', literal(JSON.stringify(json(at) && at.value)));
}
