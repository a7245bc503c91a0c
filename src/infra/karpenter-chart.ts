import { IResource } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { ControllerRole } from './controller-role';
import { compareKarpenterVersions, NEWEST_KARPENTER_VERSION } from '../contract';
import { InterruptionQueue } from '../interruption';
import { viewCluster } from './private/cluster-view';
import { Kubectl } from './private/kubectl';
import { mergeValues, Values } from './private/merge-values';
import { systemCapacityOf } from './private/system-capacity';

/**
 * How Karpenter's Helm charts are installed.
 */
export interface ChartOptions {
  /**
   * Version of the charts, from 1.0.0 on.
   *
   * @default - the newest that this package knows
   */
  readonly karpenterVersion?: string;

  /**
   * Where the charts are. A private cluster needs a copy of `karpenter` and `karpenter-crd` in a registry that it
   * reaches, and of the controller's image, which the value `controller.image.repository` names.
   *
   * @default oci://public.ecr.aws/karpenter
   */
  readonly chartRegistry?: string;

  /**
   * Values of the chart `karpenter`. They win over those of this library, map by map.
   *
   * @default - none
   * @see https://github.com/aws/karpenter-provider-aws/blob/main/charts/karpenter/values.yaml
   */
  readonly chartValues?: { [key: string]: any };

  /**
   * Whether Karpenter calls no service without an endpoint in the VPC, which are IAM and the price list.
   *
   * @default false
   */
  readonly isolatedVpc?: boolean;
}

/**
 * Properties of a KarpenterChart.
 */
export interface KarpenterChartProps extends ChartOptions {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not, or a ClusterReference.
   */
  readonly cluster: IResource;

  /**
   * The controller's role, its namespace and service account.
   */
  readonly controllerRole: ControllerRole;

  /**
   * Where the controller hears of interruptions.
   *
   * @default - it does not
   */
  readonly interruptionQueue?: InterruptionQueue;

  /**
   * Whether the charts are installed. If not, `values` says with what something else has to install them.
   *
   * @default true
   */
  readonly install?: boolean;
}

/**
 * Karpenter's two charts: its CRDs, which Helm would never upgrade as part of the other, and then the controller.
 */
export class KarpenterChart extends Construct {
  /**
   * Version of the charts.
   */
  public readonly version: string;

  /**
   * Values of the chart `karpenter`. Given values override ours.
   */
  public readonly values: { [key: string]: any };

  /**
   * Values of the chart `karpenter-crd`.
   */
  public readonly crdValues: { [key: string]: any };

  /**
   * @throws Error if nothing of the app can deploy to the cluster
   */
  constructor(scope: Construct, id: string, props: KarpenterChartProps) {
    super(scope, id);
    this.version = props.karpenterVersion ?? NEWEST_KARPENTER_VERSION;
    this.values = mergeValues(this.ownValues(props), props.chartValues ?? {});
    this.crdValues = this.ownCrdValues(props.controllerRole.namespace);
    if (props.install !== false) this.install(props);
  }

  private install({ cluster, controllerRole, chartRegistry = 'oci://public.ecr.aws/karpenter' }: KarpenterChartProps): void {
    const view = viewCluster(this, cluster);
    const newRelease = (release: string, chart: string, values: Values) => this.kubectl(view.kubectl, view.resource).newRelease(this, release, {
      chart, repository: `${chartRegistry}/${chart}`, version: this.version, namespace: controllerRole.namespace, values,
    });
    const crds = newRelease('Crds', 'karpenter-crd', this.crdValues);
    const controller = newRelease('Controller', 'karpenter', this.values);
    controller.node.addDependency(crds, systemCapacityOf(view));
  }

  private kubectl(kubectl: Kubectl | undefined, cluster: IResource): Kubectl {
    if (kubectl) return kubectl;
    throw new Error(`${this.node.path}/cluster: must have a kubectl provider in order to install charts, got ${cluster.node.path} without one; `
      + 'give the cluster kubectlProviderOptions with a kubectl layer, import it with a kubectlProvider, or write installChart: false');
  }

  private ownValues({ cluster, controllerRole, interruptionQueue, isolatedVpc }: KarpenterChartProps): Values {
    const { serviceAccountName, serviceAccountAnnotations } = controllerRole;
    return {
      serviceAccount: {
        name: serviceAccountName,
        ...Object.keys(serviceAccountAnnotations).length > 0 && { annotations: serviceAccountAnnotations },
      },
      settings: {
        clusterName: viewCluster(this, cluster).clusterName,
        ...interruptionQueue && { interruptionQueue: interruptionQueue.queueName },
        ...isolatedVpc && { isolatedVPC: true },
      },
      // Upstream's chart sets no requests, and its guide recommends these. No CPU limit: it slows the controller when
      // it is needed most.
      controller: { resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } } },
    };
  }

  /** Before 1.1 the CRDs name the service of the conversion webhook, which is in the controller's namespace. */
  private ownCrdValues(namespace: string): Values {
    return compareKarpenterVersions(this.version, '1.1.0') < 0 ? { webhook: { enabled: true, serviceNamespace: namespace } } : {};
  }
}
