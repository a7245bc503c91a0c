/**
 * Names that become values of labels: that of the NodePool and, since 1.1, that of its class, on each NodeClaim. The
 * API server takes longer names than values of labels, and then refuses every NodeClaim.
 *
 * Sources: NewNodeClaimTemplate and ToNodeClaim, pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go of
 * Karpenter 1.15.0, and ValidateLabels of k8s.io/apimachinery.
 */
import { FieldPath, FieldProblem } from '../field-problem';
import { compareKarpenterVersions } from '../karpenter-version';
import { LONGEST_LABEL_VALUE } from '../label-rule';
import { asRecord } from '../value-rule';
import { launchFails } from './misread';

/** The first release that labels NodeClaims with their class. */
const CLASS_LABEL_SINCE = '1.1.0';

export function adviseOnNames({ metadata, spec }: Readonly<Record<string, unknown>>, version: string): FieldProblem[] {
  const nodeClassRef = asRecord(asRecord(asRecord(asRecord(spec)?.template)?.spec)?.nodeClassRef);
  return [
    ...checkName(['metadata', 'name'], asRecord(metadata)?.name),
    ...(compareKarpenterVersions(version, CLASS_LABEL_SINCE) >= 0 ? checkName(['spec', 'template', 'spec', 'nodeClassRef', 'name'], nodeClassRef?.name) : []),
  ];
}

function checkName(path: FieldPath, name: unknown): FieldProblem[] {
  if (typeof name !== 'string' || name.length <= LONGEST_LABEL_VALUE) return [];
  const problem = `must have at most ${LONGEST_LABEL_VALUE} characters, because NodeClaims have it as the value of a label`;
  return [launchFails(path, problem, name, 'write a shorter name: with this one, no node is launched')];
}
