import { CHECKS, Seed } from './seed';
import { accountCatalogText } from '../../../src/catalog/account';
import { madeCatalog } from '../../catalog/account/answers';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../validation/setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');

const TEMPLATES: Seed = {
  commands: CHECKS,
  files: {
    'cdk.out': '{"version":"40.0.0"}',
    'manifest.json': JSON.stringify({
      artifacts: {
        App: {
          type: 'aws:cloudformation:stack',
          environment: 'aws://111122223333/eu-west-1',
          properties: { templateFile: 'App.template.json' },
        },
      },
    }),
    'App.template.json': JSON.stringify({
      Parameters: { Name: { Type: 'String', Default: 'main' } },
      Conditions: { IsProd: { 'Fn::Equals': [{ Ref: 'Name' }, 'main'] } },
      Mappings: { Map: { a: { b: 'c' } } },
      Resources: {
        Cluster: {
          Type: 'AWS::EKS::Cluster',
          Properties: {
            Name: { Ref: 'Name' },
            Version: '1.33',
            RoleArn: { 'Fn::GetAtt': ['NodeRole', 'Arn'] },
            AccessConfig: { AuthenticationMode: 'API' },
            ResourcesVpcConfig: { SubnetIds: ['subnet-1', { Ref: 'Subnet' }] },
          },
        },
        Subnet: { Type: 'AWS::EC2::Subnet', Properties: { Tags: [{ Key: 'karpenter.sh/discovery', Value: 'main' }] } },
        NodeRole: {
          Type: 'AWS::IAM::Role',
          Properties: {
            RoleName: { 'Fn::Sub': 'KarpenterNodeRole-${Name}' },
            AssumeRolePolicyDocument: {
              Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: ['sts:AssumeRole'] }],
            },
            ManagedPolicyArns: [{ 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':iam::aws:policy/x']] }],
          },
        },
        Policy: {
          Type: 'AWS::IAM::Policy',
          Properties: {
            Roles: [{ Ref: 'NodeRole' }],
            PolicyDocument: {
              Statement: {
                Effect: 'Allow',
                Action: 'ec2:*',
                Resource: '*',
                Condition: { StringEquals: { 'aws:RequestTag/x': 'y' } },
              },
            },
          },
        },
        Entry: {
          Type: 'AWS::EKS::AccessEntry',
          Properties: {
            ClusterName: { Ref: 'Cluster' },
            PrincipalArn: { 'Fn::GetAtt': 'NodeRole.Arn' },
            Type: 'EC2_LINUX',
          },
        },
        Association: {
          Type: 'AWS::EKS::PodIdentityAssociation',
          Properties: {
            ClusterName: 'main',
            Namespace: 'karpenter',
            ServiceAccount: 'karpenter',
            RoleArn: { Ref: 'NodeRole' },
          },
        },
        Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'main', MessageRetentionPeriod: 300 } },
        QueuePolicy: {
          Type: 'AWS::SQS::QueuePolicy',
          Properties: { Queues: [{ Ref: 'Queue' }], PolicyDocument: { Statement: [] } },
        },
        Rule: {
          Type: 'AWS::Events::Rule',
          Properties: {
            EventPattern: { source: ['aws.ec2'], 'detail-type': ['EC2 Spot Instance Interruption Warning'] },
            Targets: [{ Id: 'a', Arn: { 'Fn::GetAtt': ['Queue', 'Arn'] } }],
          },
        },
        Chart: {
          Type: 'Custom::AWSCDK-EKS-HelmChart',
          Properties: {
            ClusterName: { Ref: 'Cluster' },
            Release: 'karpenter',
            Chart: 'karpenter',
            Version: '1.8.0',
            Namespace: 'karpenter',
            Values: '{"settings":{"clusterName":"main","interruptionQueue":"main"}}',
          },
        },
        Manifest: {
          Type: 'Custom::AWSCDK-EKS-KubernetesResource',
          Properties: {
            ClusterName: { Ref: 'Cluster' },
            Overwrite: true,
            Manifest: {
              'Fn::Join': [
                '',
                [
                  '[{"apiVersion":"karpenter.sh/v1","kind":"NodePool","metadata":{"name":"',
                  { Ref: 'Name' },
                  '"},"spec":{"template":{"spec":{"nodeClassRef":{"group":"karpenter.k8s.aws","kind":"EC2NodeClass","name":"main"},"requirements":[]}}}}]',
                ],
              ],
            },
          },
        },
        Nested: { Type: 'AWS::CloudFormation::Stack', Properties: { TemplateURL: 'x', Parameters: { Name: 'a' } } },
        Aws: {
          Type: 'Custom::AWSCDKCfnJson',
          Properties: { Value: { 'Fn::Join': ['', ['{"', { Ref: 'Name' }, ':sub":"x"}']] } },
        },
      },
    }),
  },
};

const CLUSTER: Seed = {
  commands: [
    ['check', './all.yaml', '--cluster', './cluster.yaml', '--scenario', 'drift'],
    ['check', './all.yaml', '--cluster', './cluster.yaml', '--format', 'json', '--scenario', 'all'],
    ['check', './all.yaml', '--catalog', './account.json'],
    ['check', './all.yaml', '--crds', './crds.yaml', '--format', 'codequality'],
    ['check', './all.yaml', '--format', 'unix'],
    ['check', './all.yaml', '--scenario', 'consolidation', '--format', 'html'],
    ['convert', './old.yaml'],
    ['convert', './all.yaml', '--to', 'typescript'],
    ['diff', './all.yaml', './old.yaml', '--format', 'markdown'],
    ['diff', './all.yaml', './cluster.yaml', '--cluster', './cluster.yaml', '--format', 'json'],
    ['instance-types', './all.yaml', '--nodepool', 'default', '--catalog', './account.json'],
  ],
  files: {
    'all.yaml': `${POOLS}---\n${deployment('web', 2, SMALL)}---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db, namespace: shop, labels: { a: b } }
spec:
  replicas: 2
  serviceName: db
  podManagementPolicy: Parallel
  ordinals: { start: 1 }
  selector: { matchExpressions: [{ key: app, operator: In, values: [db] }] }
  template:
    metadata: { labels: { app: db }, annotations: { karpenter.sh/do-not-disrupt: "true" } }
    spec:
      terminationGracePeriodSeconds: 30
      priorityClassName: high
      nodeSelector: { kubernetes.io/arch: amd64 }
      tolerations: [{ key: a, operator: Equal, value: b, effect: NoSchedule, tolerationSeconds: 3 }]
      affinity:
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: karpenter.k8s.aws/instance-cpu, operator: Gt, values: ["1"] }] }] }, preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: a, operator: Exists }] } }] }
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: db } }, namespaceSelector: {} }] }
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: db } }, minDomains: 2, matchLabelKeys: [x] }]
      initContainers: [{ name: init, restartPolicy: Always, resources: { requests: { cpu: 1 } } }]
      containers: [{ name: main, image: "db:1", ports: [{ containerPort: 80, hostPort: 80 }], resources: { requests: { cpu: 1, memory: 1Gi, ephemeral-storage: 1Gi }, limits: { memory: 2Gi, nvidia.com/gpu: 1 } }, volumeMounts: [{ name: data, mountPath: /data }] }]
      volumes: [{ name: x, persistentVolumeClaim: { claimName: x } }, { name: y, ephemeral: { volumeClaimTemplate: { spec: { storageClassName: gp3, resources: { requests: { storage: 1Gi } } } } } }]
  volumeClaimTemplates: [{ metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], storageClassName: gp3, resources: { requests: { storage: 1Gi } } } }]
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: gp3 }
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
parameters: { type: gp3 }
allowedTopologies: [{ matchLabelExpressions: [{ key: topology.kubernetes.io/zone, values: [us-east-1a] }] }]
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 100
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: job }
spec: { schedule: "0 * * * *", jobTemplate: { spec: { parallelism: 2, completions: 4, template: { spec: { restartPolicy: Never, containers: [{ name: main, resources: { requests: { cpu: 1 } } }] } } } } }
---
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: { name: overlay }
spec: { weight: 10, priceAdjustment: "-10%", requirements: [{ key: karpenter.sh/capacity-type, operator: In, values: [spot] }], capacity: { example.com/gpu: 1 } }
---
apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata: { name: buffer }
spec: { scalableRef: { apiGroup: apps, kind: Deployment, name: web }, replicas: 2, percentage: 10, limits: { cpu: 4 } }
---
apiVersion: v1
kind: List
items: [{ apiVersion: v1, kind: Pod, metadata: { name: pod }, spec: { containers: [{ name: main, resources: { requests: { cpu: 1 } } }] } }]
`,
    'old.yaml': `apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: { name: default }
spec: { ttlSecondsAfterEmpty: 30, ttlSecondsUntilExpired: 3600, consolidation: { enabled: true }, limits: { resources: { cpu: 10 } }, requirements: [{ key: karpenter.sh/capacity-type, operator: In, values: [spot] }], kubeletConfiguration: { maxPods: 20, evictionHard: { memory.available: 5% } }, providerRef: { name: default }, labels: { a: b }, taints: [{ key: a, effect: NoSchedule }] }
---
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: { name: default }
spec: { subnetSelector: { karpenter.sh/discovery: main }, securityGroupSelector: { aws-ids: "sg-1,sg-2" }, amiFamily: AL2, amiSelector: { aws::name: x }, instanceProfile: p, blockDeviceMappings: [{ deviceName: /dev/xvda, ebs: { volumeSize: 20Gi, volumeType: gp3 } }], tags: { a: b }, metadataOptions: { httpTokens: required } }
---
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: { name: beta }
spec: { disruption: { consolidationPolicy: WhenUnderutilized, expireAfter: 720h, budgets: [{ nodes: 10%, schedule: "0 0 * * *", duration: 8h, reasons: [Drifted] }] }, template: { spec: { nodeClassRef: { name: beta }, kubelet: { maxPods: 20 }, requirements: [] } } }
---
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: { name: beta }
spec: { amiFamily: Ubuntu, role: r, subnetSelectorTerms: [{ tags: { a: b } }], securityGroupSelectorTerms: [{ id: sg-12345678 }] }
`,
    'cluster.yaml': `apiVersion: v1
kind: List
items:
- { apiVersion: v1, kind: Node, metadata: { name: node-1, uid: u1, labels: { karpenter.sh/nodepool: default, node.kubernetes.io/instance-type: m5.large, topology.kubernetes.io/zone: us-east-1a, topology.kubernetes.io/region: us-east-1, karpenter.sh/capacity-type: on-demand, kubernetes.io/arch: amd64, kubernetes.io/os: linux, karpenter.sh/registered: "true", karpenter.sh/initialized: "true" }, creationTimestamp: "2026-01-01T00:00:00Z" }, spec: { providerID: "aws:///us-east-1a/i-1" , taints: [] }, status: { capacity: { cpu: 2, memory: 8Gi, pods: 29 }, allocatable: { cpu: 1930m, memory: 7Gi, pods: 29 }, conditions: [{ type: Ready, status: "True" }] } }
- { apiVersion: karpenter.sh/v1, kind: NodeClaim, metadata: { name: claim-1, labels: { karpenter.sh/nodepool: default } }, spec: { nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }, requirements: [] }, status: { nodeName: node-1, providerID: "aws:///us-east-1a/i-1", conditions: [] } }
- { apiVersion: v1, kind: Pod, metadata: { name: web-0, namespace: default, labels: { app: web }, ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: web-abc, uid: r, controller: true }] }, spec: { nodeName: node-1, containers: [{ name: main, resources: { requests: { cpu: 500m } } }] }, status: { phase: Running } }
- { apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: { name: node-1 }, spec: { drivers: [{ name: ebs.csi.aws.com, allocatable: { count: 25 } }] } }
- { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: x, namespace: shop }, spec: { volumeName: pv, storageClassName: gp3 } }
- { apiVersion: v1, kind: PersistentVolume, metadata: { name: pv }, spec: { csi: { driver: ebs.csi.aws.com, volumeHandle: vol-1 }, nodeAffinity: { required: { nodeSelectorTerms: [] } } } }
`,
    'crds.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: nodepools.karpenter.sh }
spec: { group: karpenter.sh, names: { kind: NodePool, plural: nodepools }, scope: Cluster, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { weight: { type: integer, minimum: 1 }, limits: { type: object, additionalProperties: { anyOf: [{ type: integer }, { type: string }], pattern: "^[0-9]+$", x-kubernetes-int-or-string: true } } }, x-kubernetes-validations: [{ rule: "self.weight > 0", message: m }] } } } } }] }
`,
    'account.json': accountCatalogText(madeCatalog()),
  },
};

export const OBJECT_SEEDS: readonly Seed[] = [TEMPLATES, CLUSTER];
