import { setField, unsafeFix } from '../../../contract';
import { listText, nearestName } from '../../../model';
import { EksCluster } from '../../manifest/aws-model';
import { defineRule, SubjectFinding } from '../define-rule';
import { subjectsWith } from '../subjects';

/** The node pools that EKS Auto Mode has built in. */
const BUILT_IN: readonly string[] = ['general-purpose', 'system'];
const CONFIG = ['Properties', 'ComputeConfig'];

/** @see https://docs.aws.amazon.com/eks/latest/APIReference/API_ComputeConfigRequest.html */
export const autoModePoolsRefused = defineRule({
  id: 'KARP-120',
  name: 'auto-mode-pools-refused',
  readsTerraform: true,
  severity: 'error',
  summary:
    'A cluster enables a node pool that EKS Auto Mode does not have, or enables node pools without a role for their nodes.',
  subjects: subjectsWith<EksCluster>(
    ({ resource }) => resource.object,
    ({ model: { aws } }) =>
      aws.clusters.filter(({ autoMode, autoModePools }) => autoMode && autoModePools !== undefined),
  ),
  judge({ autoModePools = [], hasAutoModeRole }) {
    const unknown = autoModePools.flatMap((name, index) => (BUILT_IN.includes(name) ? [] : [nameFinding(name, index)]));
    return [...unknown, ...(autoModePools.length > 0 && !hasAutoModeRole ? [roleFinding(autoModePools)] : [])];
  },
});

function nameFinding(name: string, index: number): SubjectFinding {
  const meant = nearestName(name, BUILT_IN);
  const path = [...CONFIG, 'NodePools', index];
  return {
    path,
    message: `enables node pool ${name}, which EKS Auto Mode does not have: EKS refuses the cluster`,
    remedy: meant === undefined ? `write ${listText(BUILT_IN, 'or')}, or remove it` : `write ${meant}`,
    evidence: { name, meant: meant ?? null },
    fix: meant === undefined ? undefined : unsafeFix(setField(path, meant)),
  };
}

function roleFinding(pools: readonly string[]): SubjectFinding {
  return {
    path: [...CONFIG, 'NodePools'],
    message: `enables node pools of EKS Auto Mode, and names no role for their nodes: EKS refuses the cluster`,
    remedy: 'write NodeRoleArn in ComputeConfig, or an empty list of NodePools to make your own',
    evidence: { pools },
  };
}
