import { classesWithUserData, userDataOf } from './known-user-data';
import { taintFindings } from './taints-in-user-data';
import { asRecord, HiddenSetting, kubeletSettingsIn, setField, taintsIn, unsafeFix } from '../../../../contract';
import { defineRule, SubjectFinding } from '../../define-rule';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specuserdata */
export const kubeletSettingsInUserData = defineRule({
  id: 'KARP-153',
  name: 'kubelet-settings-in-user-data',
  severity: 'warning',
  summary:
    'User data has taints, or kubelet settings that decide how many pods fit on a node: Karpenter overwrites them, or plans without them.',
  subjects: classesWithUserData(
    (family, userData) => [...kubeletSettingsIn(family, userData), ...taintsIn(family, userData)].length > 0,
  ),
  judge({ object }, { model }) {
    const { family, userData } = userDataOf(object.raw);
    const kubelet = asRecord(object.raw?.spec?.kubelet) ?? {};
    const settings = kubeletSettingsIn(family, userData)
      .filter(({ field, value }) => value === undefined || kubelet[field] !== value)
      .map((setting) => findingOf(setting, family, setting.field in kubelet));
    return [...settings, ...taintFindings(object, family, userData, model)];
  },
});

function findingOf(
  { field, written, isFlag, value }: HiddenSetting,
  family: string,
  isInClass: boolean,
): SubjectFinding {
  const path = ['spec', 'userData'];
  const evidence = { amiFamily: family, setting: written, field, ...(value === undefined ? {} : { value }) };
  if (isInClass && !isFlag)
    return {
      path,
      message: `the user data has ${written}, which Karpenter replaces by ${field} of spec.kubelet: the setting has no effect`,
      remedy: `remove ${written} from the user data, or write its value in spec.kubelet`,
      evidence,
    };
  // Karpenter writes maxPods for each launch, also if the class does not have it.
  const isReplaced = field === 'maxPods' && !isFlag;
  return {
    path,
    message: isReplaced
      ? `the user data has ${written}, which Karpenter replaces by a value of its own: the setting has no effect`
      : `the user data has ${written}, which Karpenter does not read: the node has another size than Karpenter plans with`,
    remedy: `write ${value === undefined ? field : `${field}: ${value}`} in spec.kubelet, and remove ${written} from the user data`,
    evidence,
    ...(value === undefined ? {} : { fix: unsafeFix(setField(['spec', 'kubelet', field], value)) }),
  };
}
