import { countText, shortListText, valueText } from '../../../model';
import { ManifestObject } from '../../manifest/model';
import { AwsModel, hasUnknown, TemplateResource } from '../../template';
import { defineRule, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsFrom } from '../subjects';

/** The regions with an API of ECR Public. */
const ECR_PUBLIC_REGIONS: readonly string[] = ['us-east-1', 'us-west-2'];

/** @see https://registry.terraform.io/providers/hashicorp/kubernetes/latest/docs/resources/manifest */
export const terraformPlanFails = defineRule({
  id: 'KARP-922',
  name: 'terraform-plan-fails',
  readsTerraform: true,
  severity: 'error',
  summary:
    'Terraform cannot plan a configuration: it needs CRDs that the same configuration installs, or asks for a token of ECR Public in a region without it.',
  subjects: subjectsFrom<Obstacle>(obstacles),
  judge: ({ finding }) => finding,
});

interface Obstacle {
  readonly object: ManifestObject;
  readonly finding: SubjectFinding;
}

function obstacles({ model: { aws } }: RuleContext): Obstacle[] {
  return [...manifestsBeforeCrds(aws), ...tokensOfOtherRegions(aws)];
}

/** The resources of a type, whose objects have the addresses that are written in the file. */
function resourcesOf({ resources }: AwsModel, type: string): TemplateResource[] {
  return [...resources.values()]
    .filter((resource) => resource.type === `Terraform::${type}`)
    .map((resource) => {
      const { object, properties } = resource;
      const name = valueText(properties.Name ?? object.name);
      return {
        ...resource,
        object: { ...object, name, locate: (path) => ({ ...object.locate(path), resource: name }) },
      };
    });
}

/** `depends_on` delays the creation of an object, but not its plan. */
function manifestsBeforeCrds(aws: AwsModel): Obstacle[] {
  const [release] = resourcesOf(aws, 'CrdRelease');
  const manifests = resourcesOf(aws, 'CrdManifest');
  if (release === undefined || manifests.length === 0) return [];
  const names = manifests.map(({ properties }) => valueText(properties.Name));
  const [{ object, properties }] = manifests;
  return [
    {
      object,
      finding: {
        path: [],
        severity: 'warning',
        message:
          `kubernetes_manifest needs the CRD of ${valueText(properties.Kind)} when Terraform plans, but ${valueText(release.properties.Name)} of the same configuration installs it: ` +
          `in a new cluster, the plan of ${names.length === 1 ? 'it' : `${countText(names.length, 'such object')} (${shortListText(names, 3)})`} fails, with depends_on too`,
        remedy:
          'write kubectl_manifest with yaml_body, which does not need the CRD, or move the objects to a chart or to a configuration of their own',
        evidence: { manifests: names, release: valueText(release.properties.Name) },
        related: { object: release.object, path: [], label: 'installs the CRDs, when it is applied' },
      },
    },
  ];
}

function tokensOfOtherRegions(aws: AwsModel): Obstacle[] {
  const providers = resourcesOf(aws, 'AwsProvider');
  return resourcesOf(aws, 'EcrPublicToken').flatMap(({ object, properties }): Obstacle[] => {
    const alias = valueText(properties.Alias ?? '');
    const [provider, ...others] = providers.filter((one) => valueText(one.properties.Alias ?? '') === alias);
    const region = valueText(properties.Region ?? provider?.properties.Region ?? '');
    const isKnown = region !== '' && !hasUnknown(region) && provider !== undefined && others.length === 0;
    if (!isKnown || ECR_PUBLIC_REGIONS.includes(region)) return [];
    const own = providers.find((one) => one.properties.Region === ECR_PUBLIC_REGIONS[0]);
    const name = valueText(own?.properties.Alias ?? '') || 'virginia';
    return [
      {
        object,
        finding: {
          path: [],
          message: `asks for a token of ECR Public in ${region}, where it has no API: the plan fails, and the chart of Karpenter is not installed`,
          remedy: own
            ? `write provider = aws.${name}`
            : `write provider = aws.${name}, and add provider "aws" { alias = "${name}", region = "us-east-1" }`,
          evidence: { region, needed: ECR_PUBLIC_REGIONS[0] },
          related: { object: provider.object, path: ['Properties', 'Region'], label: `this provider is for ${region}` },
        },
      },
    ];
  });
}
