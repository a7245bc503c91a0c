import { identitiesIn } from './root-objects';
import { SourceFile } from '../../model';
import { mayBeTerraformJson } from '../terraform/planned-manifests';

/** Files that Terraform reads, whose values it fills in. */
const READ_BY_TERRAFORM = /\.(?:tf|tftpl|tpl)$/i;

/**
 * Leaves out what Terraform has made the manifests of a plan or a state from: its files and templates, and manifests
 * that are in the plan. The plan has their values.
 */
export function withoutPlannedFiles(files: readonly SourceFile[]): readonly SourceFile[] {
  const planned = new Set(files.filter(mayBeTerraformJson).flatMap(identitiesIn));
  if (planned.size === 0) return files;
  return files.filter((file) => {
    if (READ_BY_TERRAFORM.test(file.path)) return false;
    if (mayBeTerraformJson(file)) return true;
    const identities = identitiesIn(file);
    return identities.length === 0 || !identities.every((identity) => planned.has(identity));
  });
}
