import { TagCheck } from './model';
import { HandlerChart, MANAGED_TAG } from '../../contract';
import { findUnresolved } from '../rules/private/unresolved';

/** What of the settings says which instances are looked after, as they are written. */
export interface TagSettings {
  readonly check?: unknown;
  readonly tag?: unknown;
  /** By their names of old. */
  readonly groupCheck?: unknown;
  readonly groupTag?: unknown;
}

/** Settings of the chart: a newer one has its own default for the new name, which hides the old name. */
export function tagCheckOfChart({ checksTagsOfInstances }: HandlerChart, { check, tag, groupCheck, groupTag }: TagSettings): TagCheck {
  if (!checksTagsOfInstances) return { of: asked(groupCheck, 'group'), tag: textOr(groupTag, MANAGED_TAG), key: 'checkASGTagBeforeDraining' };
  const unread = check === undefined && groupCheck !== undefined ? { unread: 'checkASGTagBeforeDraining' } : {};
  return { of: asked(check, 'instance'), tag: textOr(tag, MANAGED_TAG), key: 'checkTagBeforeDraining', ...unread };
}

/** Variables of the application: that of the new name counts, and without it that of the old name. */
export function tagCheckOfVariables({ checksTagsOfInstances }: HandlerChart, { check, tag, groupCheck, groupTag }: TagSettings): TagCheck {
  const counts = checksTagsOfInstances ? check ?? groupCheck : groupCheck;
  const name = checksTagsOfInstances ? tag ?? groupTag : groupTag;
  return { of: asked(counts, checksTagsOfInstances ? 'instance' : 'group'), tag: textOr(name, MANAGED_TAG), key: 'checkTagBeforeDraining' };
}

function asked(check: unknown, of: 'instance' | 'group'): TagCheck['of'] {
  if (findUnresolved(check) !== undefined) return 'unknown';
  return flag(check, true) ? of : 'none';
}

/** Flags are in quotes as well. */
export function flag(value: unknown, otherwise: boolean): boolean {
  return value === undefined || value === null || value === '' ? otherwise : String(value) === 'true';
}

export function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}
