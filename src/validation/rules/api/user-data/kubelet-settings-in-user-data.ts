import { classesWithUserData, userDataOf } from './known-user-data';
import { asRecord, kubeletSettingsIn, setField, unsafeFix } from '../../../../contract';
import { defineRule } from '../../define-rule';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specuserdata */
export const kubeletSettingsInUserData = defineRule({
  id: 'KARP-153',
  name: 'kubelet-settings-in-user-data',
  severity: 'warning',
  summary:
    'User data has kubelet settings that decide how many pods fit on a node: Karpenter overwrites them, or plans without them.',
  subjects: classesWithUserData((family, userData) => kubeletSettingsIn(family, userData).length > 0),
  judge({ object }) {
    const { family, userData } = userDataOf(object.raw);
    const kubelet = asRecord(object.raw?.spec?.kubelet) ?? {};
    return kubeletSettingsIn(family, userData)
      .filter(({ field, value }) => value === undefined || kubelet[field] !== value)
      .map(({ field, written, isReplaced, value }) => ({
        path: ['spec', 'userData'],
        message: isReplaced
          ? `the user data has ${written}, which Karpenter replaces by ${field} of spec.kubelet, or by its own value: the setting has no effect`
          : `the user data has ${written}, which Karpenter does not read: the node has another size than Karpenter plans with`,
        remedy: `write ${value === undefined ? field : `${field}: ${value}`} in spec.kubelet, and remove ${written} from the user data`,
        evidence: { amiFamily: family, setting: written, field, ...(value === undefined ? {} : { value }) },
        ...(value === undefined ? {} : { fix: unsafeFix(setField(['spec', 'kubelet', field], value)) }),
      }));
  },
});
