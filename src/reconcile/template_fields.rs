//! The fields of the Go types that a pod template is made of, in the order in which Go declares them.

/// A type a line: its name, then its fields. A field is its Go name, `/` its JSON name where that is not the same with a
/// small first letter, `:` its type where that is not `string`, `+` the first and `-` the last minor release that has it
/// where not all have. A field that is only `=` and a type is embedded: its fields stand beside the others in JSON. Types
/// without a package are of an API package `v1`; those without a line are texts, or never in a template. Read from core/v1/types.go of k8s.io/api
/// and meta/v1/types.go of k8s.io/apimachinery of every release from 1.20 to 1.36.
pub(super) const FIELDS: &str = "\
PodTemplateSpec ObjectMeta/metadata:ObjectMeta Spec:PodSpec
ObjectMeta Name GenerateName Namespace SelfLink UID/uid:types.UID ResourceVersion Generation:int64 CreationTimestamp:Time DeletionTimestamp:*Time DeletionGracePeriodSeconds:*int64 Labels:map[string]string Annotations:map[string]string OwnerReferences:[]OwnerReference Finalizers:[]string ClusterName-23 ZZZ_DeprecatedClusterName/clusterName+24-24 ManagedFields:[]ManagedFieldsEntry
PodSpec Volumes:[]Volume InitContainers:[]Container Containers:[]Container EphemeralContainers:[]EphemeralContainer RestartPolicy:RestartPolicy TerminationGracePeriodSeconds:*int64 ActiveDeadlineSeconds:*int64 DNSPolicy/dnsPolicy:DNSPolicy NodeSelector:map[string]string ServiceAccountName DeprecatedServiceAccount/serviceAccount AutomountServiceAccountToken:*bool NodeName HostNetwork:bool HostPID:bool HostIPC:bool ShareProcessNamespace:*bool SecurityContext:*PodSecurityContext ImagePullSecrets:[]LocalObjectReference Hostname Subdomain Affinity:*Affinity SchedulerName Tolerations:[]Toleration HostAliases:[]HostAlias PriorityClassName Priority:*int32 DNSConfig/dnsConfig:*PodDNSConfig ReadinessGates:[]PodReadinessGate RuntimeClassName:*string EnableServiceLinks:*bool PreemptionPolicy:*PreemptionPolicy Overhead:ResourceList TopologySpreadConstraints:[]TopologySpreadConstraint SetHostnameAsFQDN:*bool OS/os:*PodOS+23 HostUsers:*bool+25 SchedulingGates:[]PodSchedulingGate+26 ResourceClaims:[]PodResourceClaim+26 Resources:*ResourceRequirements+32 HostnameOverride:*string+34 WorkloadRef:*WorkloadReference+35-35 SchedulingGroup:*PodSchedulingGroup+36
Volume Name =VolumeSource
Container Name Image Command:[]string Args:[]string WorkingDir Ports:[]ContainerPort EnvFrom:[]EnvFromSource Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:[]ContainerResizePolicy+27 RestartPolicy:*ContainerRestartPolicy+28 RestartPolicyRules:[]ContainerRestartRule+34 VolumeMounts:[]VolumeMount VolumeDevices:[]VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath TerminationMessagePolicy:TerminationMessagePolicy ImagePullPolicy:PullPolicy SecurityContext:*SecurityContext Stdin:bool StdinOnce:bool TTY/tty:bool
PodSecurityContext SELinuxOptions/seLinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*int64 RunAsGroup:*int64 RunAsNonRoot:*bool SupplementalGroups:[]int64 SupplementalGroupsPolicy:*SupplementalGroupsPolicy+31 FSGroup/fsGroup:*int64 Sysctls:[]Sysctl FSGroupChangePolicy/fsGroupChangePolicy:*PodFSGroupChangePolicy SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile+30 SELinuxChangePolicy/seLinuxChangePolicy:*PodSELinuxChangePolicy+32
LocalObjectReference Name
Affinity NodeAffinity:*NodeAffinity PodAffinity:*PodAffinity PodAntiAffinity:*PodAntiAffinity
Toleration Key Operator:TolerationOperator Value Effect:TaintEffect TolerationSeconds:*int64
HostAlias IP/ip Hostnames:[]string
PodDNSConfig Nameservers:[]string Searches:[]string Options:[]PodDNSConfigOption
PodReadinessGate ConditionType:PodConditionType
TopologySpreadConstraint MaxSkew:int32 TopologyKey WhenUnsatisfiable:UnsatisfiableConstraintAction LabelSelector:*LabelSelector MinDomains:*int32+24 NodeAffinityPolicy:*NodeInclusionPolicy+25 NodeTaintsPolicy:*NodeInclusionPolicy+25 MatchLabelKeys:[]string+25
PodOS Name:OSName
PodSchedulingGate Name
PodResourceClaim Name Source:ClaimSource-30 ResourceClaimName:*string+31 ResourceClaimTemplateName:*string+31
ResourceRequirements Limits:ResourceList Requests:ResourceList Claims:[]ResourceClaim+26
PodSchedulingGroup PodGroupName:*string
VolumeSource HostPath:*HostPathVolumeSource EmptyDir:*EmptyDirVolumeSource GCEPersistentDisk/gcePersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore/awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource GitRepo:*GitRepoVolumeSource Secret:*SecretVolumeSource NFS/nfs:*NFSVolumeSource ISCSI/iscsi:*ISCSIVolumeSource Glusterfs:*GlusterfsVolumeSource PersistentVolumeClaim:*PersistentVolumeClaimVolumeSource RBD/rbd:*RBDVolumeSource FlexVolume:*FlexVolumeSource Cinder:*CinderVolumeSource CephFS/cephfs:*CephFSVolumeSource Flocker:*FlockerVolumeSource DownwardAPI:*DownwardAPIVolumeSource FC/fc:*FCVolumeSource AzureFile:*AzureFileVolumeSource ConfigMap:*ConfigMapVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource Quobyte:*QuobyteVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource Projected:*ProjectedVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOVolumeSource StorageOS/storageos:*StorageOSVolumeSource CSI/csi:*CSIVolumeSource Ephemeral:*EphemeralVolumeSource Image:*ImageVolumeSource+31
ContainerPort Name HostPort:int32 ContainerPort:int32 Protocol:Protocol HostIP
EnvFromSource Prefix ConfigMapRef:*ConfigMapEnvSource SecretRef:*SecretEnvSource
EnvVar Name Value ValueFrom:*EnvVarSource
ContainerResizePolicy ResourceName:ResourceName RestartPolicy:ResourceResizeRestartPolicy
ContainerRestartRule Action:ContainerRestartRuleAction ExitCodes:*ContainerRestartRuleOnExitCodes
VolumeMount Name ReadOnly:bool RecursiveReadOnly:*RecursiveReadOnlyMode+30 MountPath SubPath MountPropagation:*MountPropagationMode SubPathExpr
VolumeDevice Name DevicePath
Probe =Handler-22 =ProbeHandler+23 InitialDelaySeconds:int32 TimeoutSeconds:int32 PeriodSeconds:int32 SuccessThreshold:int32 FailureThreshold:int32 TerminationGracePeriodSeconds:*int64+21
Lifecycle PostStart:*Handler-22 PreStop:*Handler-22 PostStart:*LifecycleHandler+23 PreStop:*LifecycleHandler+23 StopSignal:*Signal+33
SecurityContext Capabilities:*Capabilities Privileged:*bool SELinuxOptions/seLinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*int64 RunAsGroup:*int64 RunAsNonRoot:*bool ReadOnlyRootFilesystem:*bool AllowPrivilegeEscalation:*bool ProcMount:*ProcMountType SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile+30
SELinuxOptions User Role Type Level
WindowsSecurityContextOptions GMSACredentialSpecName/gmsaCredentialSpecName:*string GMSACredentialSpec/gmsaCredentialSpec:*string RunAsUserName:*string HostProcess:*bool+22
Sysctl Name Value
SeccompProfile Type:SeccompProfileType LocalhostProfile:*string
AppArmorProfile Type:AppArmorProfileType LocalhostProfile:*string
NodeAffinity RequiredDuringSchedulingIgnoredDuringExecution:*NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm
PodAffinity RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
PodAntiAffinity RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
PodDNSConfigOption Name Value:*string
LabelSelector MatchLabels:map[string]string MatchExpressions:[]LabelSelectorRequirement
ResourceClaim Name Request+31
HostPathVolumeSource Path Type:*HostPathType
EmptyDirVolumeSource Medium:StorageMedium SizeLimit:*resource.Quantity
GCEPersistentDiskVolumeSource PDName/pdName FSType/fsType Partition:int32 ReadOnly:bool
AWSElasticBlockStoreVolumeSource VolumeID FSType/fsType Partition:int32 ReadOnly:bool
GitRepoVolumeSource Repository Revision Directory
SecretVolumeSource SecretName Items:[]KeyToPath DefaultMode:*int32 Optional:*bool
NFSVolumeSource Server Path ReadOnly:bool
ISCSIVolumeSource TargetPortal IQN/iqn Lun:int32 ISCSIInterface/iscsiInterface FSType/fsType ReadOnly:bool Portals:[]string DiscoveryCHAPAuth/chapAuthDiscovery:bool SessionCHAPAuth/chapAuthSession:bool SecretRef:*LocalObjectReference InitiatorName:*string
GlusterfsVolumeSource EndpointsName/endpoints Path ReadOnly:bool
PersistentVolumeClaimVolumeSource ClaimName ReadOnly:bool
RBDVolumeSource CephMonitors/monitors:[]string RBDImage/image FSType/fsType RBDPool/pool RadosUser/user Keyring SecretRef:*LocalObjectReference ReadOnly:bool
FlexVolumeSource Driver FSType/fsType SecretRef:*LocalObjectReference ReadOnly:bool Options:map[string]string
CinderVolumeSource VolumeID FSType/fsType ReadOnly:bool SecretRef:*LocalObjectReference
CephFSVolumeSource Monitors:[]string Path User SecretFile SecretRef:*LocalObjectReference ReadOnly:bool
FlockerVolumeSource DatasetName DatasetUUID
DownwardAPIVolumeSource Items:[]DownwardAPIVolumeFile DefaultMode:*int32
FCVolumeSource TargetWWNs:[]string Lun:*int32 FSType/fsType ReadOnly:bool WWIDs/wwids:[]string
AzureFileVolumeSource SecretName ShareName ReadOnly:bool
ConfigMapVolumeSource =LocalObjectReference Items:[]KeyToPath DefaultMode:*int32 Optional:*bool
VsphereVirtualDiskVolumeSource VolumePath FSType/fsType StoragePolicyName StoragePolicyID
QuobyteVolumeSource Registry Volume ReadOnly:bool User Group Tenant
AzureDiskVolumeSource DiskName DataDiskURI/diskURI CachingMode:*AzureDataDiskCachingMode FSType/fsType:*string ReadOnly:*bool Kind:*AzureDataDiskKind
PhotonPersistentDiskVolumeSource PdID FSType/fsType
ProjectedVolumeSource Sources:[]VolumeProjection DefaultMode:*int32
PortworxVolumeSource VolumeID FSType/fsType ReadOnly:bool
ScaleIOVolumeSource Gateway System SecretRef:*LocalObjectReference SSLEnabled/sslEnabled:bool ProtectionDomain StoragePool StorageMode VolumeName FSType/fsType ReadOnly:bool
StorageOSVolumeSource VolumeName VolumeNamespace FSType/fsType ReadOnly:bool SecretRef:*LocalObjectReference
CSIVolumeSource Driver ReadOnly:*bool FSType/fsType:*string VolumeAttributes:map[string]string NodePublishSecretRef:*LocalObjectReference
EphemeralVolumeSource VolumeClaimTemplate:*PersistentVolumeClaimTemplate ReadOnly:bool-20
ImageVolumeSource Reference PullPolicy:PullPolicy
ConfigMapEnvSource =LocalObjectReference Optional:*bool
SecretEnvSource =LocalObjectReference Optional:*bool
EnvVarSource FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector ConfigMapKeyRef:*ConfigMapKeySelector SecretKeyRef:*SecretKeySelector FileKeyRef:*FileKeySelector+34
ContainerRestartRuleOnExitCodes Operator:ContainerRestartRuleOnExitCodesOperator Values:[]int32
ProbeHandler Exec:*ExecAction HTTPGet/httpGet:*HTTPGetAction TCPSocket/tcpSocket:*TCPSocketAction GRPC/grpc:*GRPCAction
LifecycleHandler Exec:*ExecAction HTTPGet/httpGet:*HTTPGetAction TCPSocket/tcpSocket:*TCPSocketAction Sleep:*SleepAction+29
Capabilities Add:[]Capability Drop:[]Capability
NodeSelector NodeSelectorTerms:[]NodeSelectorTerm
PreferredSchedulingTerm Weight:int32 Preference:NodeSelectorTerm
PodAffinityTerm LabelSelector:*LabelSelector Namespaces:[]string TopologyKey NamespaceSelector:*LabelSelector+21 MatchLabelKeys:[]string+29 MismatchLabelKeys:[]string+29
WeightedPodAffinityTerm Weight:int32 PodAffinityTerm:PodAffinityTerm
LabelSelectorRequirement Key Operator:LabelSelectorOperator Values:[]string
KeyToPath Key Path Mode:*int32
DownwardAPIVolumeFile Path FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector Mode:*int32
VolumeProjection Secret:*SecretProjection DownwardAPI:*DownwardAPIProjection ConfigMap:*ConfigMapProjection ServiceAccountToken:*ServiceAccountTokenProjection ClusterTrustBundle:*ClusterTrustBundleProjection+29 PodCertificate:*PodCertificateProjection+34
PersistentVolumeClaimTemplate ObjectMeta/metadata:ObjectMeta Spec:PersistentVolumeClaimSpec
ObjectFieldSelector APIVersion/apiVersion FieldPath
ResourceFieldSelector ContainerName Resource Divisor:resource.Quantity
ConfigMapKeySelector =LocalObjectReference Key Optional:*bool
SecretKeySelector =LocalObjectReference Key Optional:*bool
FileKeySelector VolumeName Path Key Optional:*bool
ExecAction Command:[]string
HTTPGetAction Path Port:intstr.IntOrString Host Scheme:URIScheme HTTPHeaders/httpHeaders:[]HTTPHeader
TCPSocketAction Port:intstr.IntOrString Host
GRPCAction Port:int32 Service:*string
SleepAction Seconds:int64
NodeSelectorTerm MatchExpressions:[]NodeSelectorRequirement MatchFields:[]NodeSelectorRequirement
SecretProjection =LocalObjectReference Items:[]KeyToPath Optional:*bool
DownwardAPIProjection Items:[]DownwardAPIVolumeFile
ConfigMapProjection =LocalObjectReference Items:[]KeyToPath Optional:*bool
ServiceAccountTokenProjection Audience ExpirationSeconds:*int64 Path
ClusterTrustBundleProjection Name:*string SignerName:*string LabelSelector:*LabelSelector Optional:*bool Path
PodCertificateProjection SignerName KeyType MaxExpirationSeconds:*int32 CredentialBundlePath KeyPath CertificateChainPath UserAnnotations:map[string]string+35
PersistentVolumeClaimSpec AccessModes:[]PersistentVolumeAccessMode Selector:*LabelSelector Resources:ResourceRequirements-28 Resources:VolumeResourceRequirements+29 VolumeName StorageClassName:*string VolumeMode:*PersistentVolumeMode DataSource:*TypedLocalObjectReference DataSourceRef:*TypedLocalObjectReference+22-25 DataSourceRef:*TypedObjectReference+26 VolumeAttributesClassName:*string+29
HTTPHeader Name Value
NodeSelectorRequirement Key Operator:NodeSelectorOperator Values:[]string
VolumeResourceRequirements Limits:ResourceList Requests:ResourceList
TypedLocalObjectReference APIGroup/apiGroup:*string Kind Name
TypedObjectReference APIGroup/apiGroup:*string Kind Name Namespace:*string
WorkloadReference Name PodGroup PodGroupReplicaKey
ClaimSource ResourceClaimName:*string ResourceClaimTemplateName:*string
Handler Exec:*ExecAction HTTPGet/httpGet:*HTTPGetAction TCPSocket/tcpSocket:*TCPSocketAction
";
